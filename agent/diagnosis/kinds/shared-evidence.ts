import { withCommas } from '../../model/whole-number.js';
import { jitterMs } from '../life/shown-finding.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** Something that the host of a node showed. */
export interface HostEvidence {
  readonly node: string;
  readonly atMs: number;
  /** What tells it from others of that code; the same on other hosts of a group is told once. */
  readonly key: string;
  /** As it was told before, if it was; it stays unless another one is clearly nearer. */
  readonly known: object | undefined;
}

/** The nodes of a group that a finding is about. */
export interface GroupOfHosts {
  /** All of them. */
  readonly size: number;
  /** Those whose rows would say it. */
  readonly known: number;
}

/** So many signs, and so many changes, stand beside a finding. */
const mostTold = 4;

/**
 * What of it all is told with a finding: the nearest in time to its beginning first, and of a group each sign or change once, at the node
 * that had it nearest, with how many of its nodes had it.
 * @param group undefined for a finding that names its nodes
 * @param what what it is called after its text, such as `this sign`
 */
export function nearestEvidence<T extends HostEvidence>(
  seen: readonly T[],
  sinceMs: number,
  group: GroupOfHosts | undefined,
  what: string,
) {
  const distance = (one: T): number =>
    Math.abs(one.atMs - sinceMs) - (group && one.known ? jitterMs : 0);
  const sorted = [...seen].sort((a, b) => distance(a) - distance(b));
  if (!group) return sorted.slice(0, mostTold).map((one) => ({ one, among: '', shared: {} }));
  const first = new Map<string, { readonly one: T; readonly nodes: Set<string> }>();
  for (const one of sorted) {
    getOrInsert(first, one.key, () => ({ one, nodes: new Set() })).nodes.add(one.node);
  }
  return [...first.values()].slice(0, mostTold).map(({ one, nodes }) => ({
    one,
    among: amongText(what, nodes.size, group),
    shared: { sharedBy: { nodes: nodes.size, of: group.known } },
  }));
}

/** How many nodes of a group had it: ` (such a change on 5 of its 7 nodes)`. */
function amongText(what: string, having: number, { size, known }: GroupOfHosts): string {
  const [nodes, of] = [withCommas(having), withCommas(known)];
  return size === known
    ? ` (${what} on ${nodes} of its ${of} nodes)`
    : ` (${what} on ${nodes} of ${of} of its nodes; of ${withCommas(size - known)} it is not known)`;
}
