import { changeText, signText } from '../../model/host-words.js';
import type { RowChange, SeenChange } from '../../model/row-host.js';
import type { Facts, SeenHost } from '../evidence/observations.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import type { FindingMemory } from '../nouns/memory.js';
import { steadyTime, jitterMs } from '../life/shown-finding.js';
import { endsOf } from './finding-ends.js';
import { hostSign } from './host-sign.js';
import { withCommas } from '../../model/whole-number.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

type FindingSign = NonNullable<Finding['signs']>[number];
type FindingChange = NonNullable<Finding['changes']>[number];

/** What began longer before or after a finding has nothing to do with it, as far as anybody can tell. */
const nearMs = 300_000;
/** A finding begins with the first probe that fails, and what made it fail may be found a little later. */
const foundLateMs = 2000;

/**
 * Adds to findings what the hosts at their ends show since about the same time, and what changed on them in the five minutes before, the
 * nearest first. It is evidence that something else happened then, and says nothing of causes. Their times stay as they were told last.
 * @param memory since when the findings are, in monotonic milliseconds
 */
export function withHostEvidence(
  findings: readonly Finding[],
  facts: Facts,
  memory: ReadonlyMap<string, Pick<FindingMemory, 'shownSinceMs'>>,
): Finding[] {
  const before = new Map(facts.input.previous?.findings.map((one) => [one.id, one]));
  return findings.map((finding) => {
    const former = before.get(finding.id);
    const own = byClockOf(finding, facts, memory.get(finding.id)?.shownSinceMs);
    const [signs, changes] = [signsOf(finding, own, former), changesOf(finding, own, former)];
    if (signs.length + changes.length === 0) return finding;
    return {
      ...finding,
      ...(signs.length > 0 && { signs }),
      ...(changes.length > 0 && { changes }),
    };
  });
}

/** Whether something on a host began at about the same time as a finding, by the clock of `input.now`. */
export function isNear({ since }: Finding, beganMs: number, { wallOffsetMs }: DiagnosisInput) {
  return Math.abs(beganMs - (Date.parse(since) - wallOffsetMs)) <= nearMs;
}

/** The clock may have been set while a finding is open: what stands beside it is told by the clock of its beginning. */
function byClockOf({ since }: Finding, facts: Facts, sinceMs: number | undefined): Facts {
  if (sinceMs === undefined) return facts;
  return { ...facts, input: { ...facts.input, wallOffsetMs: Date.parse(since) - sinceMs } };
}

function signsOf(finding: Finding, facts: Facts, former: Finding | undefined): FindingSign[] {
  const { input, index } = facts;
  const isFolded = finding.kind === hostSign.kind && finding.count !== undefined;
  const ends = isFolded ? (finding.examples ?? []) : endsOf(finding, index);
  const near = ends.flatMap((node) => {
    const { signs = [], bodyAgeMs = 0, isStale = false } = hostOf(node, facts) ?? {};
    return signs.flatMap((sign): HostEvidence<FindingSign> | [] => {
      const isItself = finding.kind === hostSign.kind && finding.sign === sign.sign;
      const atMs = input.now - bodyAgeMs - 1000 * sign.ageSeconds;
      // The text of many has no figures, so their signs are told.
      const isShown = isFolded ? isItself && !isStale : !isItself && isNear(finding, atMs, input);
      if (!isShown) return [];
      const known = former?.signs?.find(
        (one) => one.node === node && one.sign === sign.sign && one.plane === sign.plane,
      );
      const shown = () => ({
        node,
        sign: sign.sign,
        text: signText(sign),
        value: sign.value,
        limit: sign.limit,
        since: steadyTime(isoTime(input, atMs), known?.since),
        ...(sign.orBefore && { orBefore: true as const }),
        ...(isStale && {
          lastToldAt: steadyTime(isoTime(input, input.now - bodyAgeMs), known?.lastToldAt),
        }),
        plane: sign.plane,
      });
      return { node, atMs, key: `${sign.sign} ${sign.plane}`, isKnown: known !== undefined, shown };
    });
  });
  const tells = (node: string) => (hostOf(node, facts)?.signs ?? []).length > 0;
  return nearestEvidence(near, finding, ends, facts, tells, 'this sign');
}

function changesOf(finding: Finding, facts: Facts, former: Finding | undefined): FindingChange[] {
  const { input, index } = facts;
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  const ends = endsOf(finding, index);
  const changesAt = (node: string): readonly (RowChange | SeenChange)[] => [
    ...(hostOf(node, facts)?.changes ?? []),
    ...(input.changesOf?.(node) ?? []),
  ];
  const near = ends.flatMap((node) =>
    changesAt(node).flatMap((one): HostEvidence<FindingChange> | [] => {
      const { change, from, to, withinSeconds } = one;
      const { bodyAgeMs = 0 } = hostOf(node, facts) ?? {};
      const atMs = 'foundMs' in one ? one.foundMs : input.now - bodyAgeMs - 1000 * one.ageSeconds;
      const earliestMs = atMs - 1000 * withinSeconds;
      if (earliestMs > sinceMs + foundLateMs || atMs < sinceMs - nearMs) return [];
      const same = (former?.changes ?? []).filter(
        (its) => its.node === node && its.change === change && its.from === from && its.to === to,
      );
      // The same may have changed twice.
      const known = same.find(({ at }) => steadyTime(isoTime(input, atMs), at) === at) ?? same[0];
      const shown = () => ({
        node,
        at: steadyTime(isoTime(input, atMs), known?.at),
        withinSeconds,
        change,
        text: changeText(one),
        from,
        to,
      });
      return { node, atMs, key: `${change} ${one.about}`, isKnown: known !== undefined, shown };
    }),
  );
  const tells = (node: string) => changesAt(node).length > 0;
  return nearestEvidence(near, finding, ends, facts, tells, 'such a change');
}

function hostOf(node: string, { index, observations }: Facts): SeenHost | undefined {
  return observations.hosts.get(index.numberOf.get(node) ?? -1);
}

/** A sign or a change of a host. */
interface HostEvidence<T> {
  readonly node: string;
  readonly atMs: number;
  /** What tells it from others of that node; the same on other hosts of a group is told once. */
  readonly key: string;
  /** It was told before, and stays unless another one is clearly nearer. */
  readonly isKnown: boolean;
  readonly shown: () => T;
}

/** So many signs, and so many changes, stand beside a finding. */
const mostShown = 4;

/**
 * What of it all is told with a finding: the nearest in time to its beginning first, and of a group each sign or change once, at the node
 * that had it nearest, with how many of its nodes had it.
 * @param ends the nodes of the finding
 * @param tells whether something is known of a host, though its row may not be believed
 * @param what what it is called after its text, such as `this sign`
 */
function nearestEvidence<T extends FindingSign | FindingChange>(
  seen: readonly HostEvidence<T>[],
  { since, group }: Finding,
  ends: readonly string[],
  { input, index, observations }: Facts,
  tells: (node: string) => boolean,
  what: string,
): T[] {
  const sinceMs = Date.parse(since) - input.wallOffsetMs;
  const distance = ({ atMs, isKnown }: HostEvidence<T>): number =>
    Math.abs(atMs - sinceMs) - (group && isKnown ? jitterMs : 0);
  const sorted = [...seen].sort((a, b) => distance(a) - distance(b));
  if (!group) return sorted.slice(0, mostShown).map(({ shown }) => shown());
  const nodesWith = new Map<string, Set<string>>();
  for (const { key, node } of sorted) getOrInsert(nodesWith, key, () => new Set()).add(node);
  // The row of a starved observer is not believed, though it tells of its host.
  const hasRow = (node: string) => observations.observerOf[index.numberOf.get(node) ?? -1] !== -1;
  const known = ends.filter((node) => hasRow(node) || tells(node)).length;
  return [...nodesWith].slice(0, mostShown).flatMap(([key, { size }]) => {
    const shown = sorted.find((one) => one.key === key)?.shown();
    if (!shown) return [];
    const text = shown.text + amongText(what, size, known, ends.length);
    return { ...shown, text, sharedBy: { nodes: size, of: known } };
  });
}

/** How many nodes of a group had it: ` (such a change on 5 of its 7 nodes)`. */
function amongText(what: string, having: number, known: number, size: number): string {
  const [nodes, of] = [withCommas(having), withCommas(known)];
  return size === known
    ? ` (${what} on ${nodes} of its ${of} nodes)`
    : ` (${what} on ${nodes} of ${of} of its nodes; of ${withCommas(size - known)} it is not known)`;
}
