import { planes } from '../../model/path.js';
import type { Facts } from '../evidence/facts.js';
import { planesOf, serverId, targetKey, type TargetTally } from '../evidence/target-tally.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import { mostCommon } from '../nouns/most-common.js';
import { namesOf } from '../nouns/named-cause.js';
import type { TargetSight } from '../nouns/target-sight.js';
import type { TargetCause } from '../search/explain-target.js';
import { targetSeen } from '../search/target-seen.js';

/** So many looks stand beside a finding about targets. */
export const mostLooks = 10;

/** Looks at a cause about a target for what its finding is named and written from. */
export function targetSightOf(
  tally: TargetTally,
  found: TargetCause,
  { input, index, localNode, observations }: Facts,
  definition: DiagnosisTarget | undefined,
): TargetSight {
  const { question, lists, trouble } = tally;
  const { looks, server: about } = question;
  const { cause, slots, beganS } = found;
  const { subject } = cause;
  const names = namesOf(subject, index);
  const { observers, observerOf } = observations;
  const confirmedS = (at: number): number => observers[observerOf[at] ?? -1]?.ageS ?? Infinity;
  const node = subject.type === 'node' ? index.nodes[subject.node] : undefined;
  const server = about && {
    number: about.number,
    id: serverId(about),
    address: lists.addressOf(about.list, about.number),
  };
  // What is typed on a node is to ask a server of that node.
  const first = node ? lists.addressOf(lists.digestAt(slots[0] ?? 0), 0) : lists.ownFirst;
  const failureOf = (slot: number) => looks.details.get(slot)?.failure;
  const failures = slots.map(failureOf);
  // A host rejects what it sends itself, and pods are told so: they see the same thing as different failures.
  const rejected = failures.filter((failure) => failure === 'local' || failure === 'refused');
  const status = definition?.statusHere;
  const isStatusHere = slots.some(
    (slot) => slot >> 1 === localNode && failureOf(slot) === 'status',
  );
  return {
    target: looks.name,
    also: [],
    trouble,
    planes: looks.planes,
    server,
    servers: lists.countAt(slots[0] ?? 0) ?? 0,
    asked: server ? server.address : first,
    cause,
    named: {
      trouble,
      channels: cause.channels,
      type: subject.type,
      names,
      target: targetKey(question),
    },
    subject,
    failingPlanes: planesOf(cause.channels),
    knownPlanes: planesOf(cause.knownChannels),
    seen: targetSeen(tally, found, confirmedS),
    definition,
    name: names[0] ?? '',
    node,
    isLocal: subject.type === 'node' && subject.node === localNode,
    failure: mostCommon(failures, slots.length / 2 + 0.5),
    isRejected: 2 * rejected.length > slots.length,
    statusHere:
      status !== undefined && isStatusHere
        ? { status, node: index.nodes[localNode]?.name ?? '' }
        : undefined,
    namespace: input.namespace,
    sinceMs: input.now - 1000 * beganS,
    slots,
    looks: (words) =>
      sample(slots, localNode).map((slot) => ({
        from: index.nodes[slot >> 1]?.name ?? '',
        plane: planes[slot & 1] ?? 'host',
        failure: words(failureOf(slot)),
        since: isoTime(input, input.now - 1000 * tally.slotAgeS(slot)),
      })),
  };
}

/** Some looks: those of the local node first, one of each node before a second one. */
function sample(slots: readonly number[], localNode: number): readonly number[] {
  const chosen: number[] = slots.filter((slot) => slot >> 1 === localNode);
  const more: number[] = [];
  let last = -1;
  for (const slot of slots) {
    if (chosen.length >= mostLooks) break;
    if (slot >> 1 === localNode) continue;
    if (slot >> 1 === last) more.push(slot);
    else chosen.push(slot);
    last = slot >> 1;
  }
  return [...chosen, ...more].slice(0, mostLooks);
}
