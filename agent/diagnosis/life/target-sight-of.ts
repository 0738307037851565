import type { FailureKind } from '../../model/failure.js';
import { planes } from '../../model/path.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import { serverId, slotsOf, targetKey, type TargetTally } from '../evidence/target-tally.js';
import type { Cause } from '../nouns/cause.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import type { Finding } from '../nouns/finding.js';
import { mostCommon } from '../nouns/most-common.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import type { Explanation } from '../search/explanation.js';
import { targetSeen } from '../search/target-seen.js';

/** So many looks stand beside a finding about targets. */
export const mostLooks = 10;

/** A cause about a target with all that its finding is named and written from. */
export type TargetSight = ReturnType<typeof targetSightOf>;

/** What the finding of a cause about a target is named and written from. Rows may tell of targets of which this agent has no definition. */
export function targetSightOf(
  cause: Cause,
  { input, index, localNode, observations }: Facts,
  tally: TargetTally,
  explanation: Explanation,
  definition: DiagnosisTarget | undefined,
) {
  const { looks, lists, trouble, server: about } = tally.question;
  const { subject, channels, knownChannels } = cause;
  const slots = Array.from(cause.entries, (node) =>
    slotsOf(node, (tally.bad[node] ?? 0) & knownChannels),
  ).flat();
  const alone = slots.filter((slot) => !explanation.isShared(slot >> 1, slot & 1));
  // When a tenth of the looks had failed that it alone explains.
  const beganS = tally.beganS(alone.length > 0 ? alone : slots);
  const confirmedS = (at: number): number => observerAt(observations, at)?.ageS ?? Infinity;
  const node = subject.type === 'node' ? index.nodes[subject.node] : undefined;
  const address = about && lists.addressOf(about);
  const server = about && {
    id: serverId(about),
    address,
    name: address ?? `number ${about.number + 1}`,
  };
  // What is typed on a node is to ask a server of that node.
  const first = node
    ? lists.addressOf({ list: lists.digestAt(slots[0] ?? 0), number: 0 })
    : lists.ownFirst;
  const failureOf = (slot: number) => looks.details.get(slot)?.failure;
  const failures = slots.map(failureOf);
  // A host rejects what it sends itself, and pods are told so: they see the same thing as different failures.
  const rejected = failures.filter((failure) => failure === 'local' || failure === 'refused');
  const isStatusHere = slots.some(
    (slot) => slot >> 1 === localNode && failureOf(slot) === 'status',
  );
  return {
    target: looks.name,
    /** Other targets that fail there by the same cause. */
    also: [] as readonly string[],
    trouble,
    /** The planes from which it is probed: 1 the host, 2 the endpoint. */
    planes: looks.planes,
    /** The DNS server that it is about, if it is one; the others of the target answer. Its address may not be known here. */
    server,
    /** How many servers are asked there; 0 where it is not known, or if they are not of DNS. */
    servers: lists.countAt(slots[0] ?? 0) ?? 0,
    /** The DNS server that a command asks; undefined where its address is not known here. */
    asked: server ? server.address : first,
    cause,
    named: { ...nameCause(cause, index), target: targetKey(tally.question) },
    subject,
    /** The planes from which it is said to fail, and those of them from which looks are known. */
    failingPlanes: channels,
    knownPlanes: knownChannels,
    /** The one plane from which it fails, where it is probed from both. */
    plane: channels === looks.planes ? undefined : planes[channels === 1 ? 0 : 1],
    seen: targetSeen(tally, cause, beganS, confirmedS),
    definition,
    /** The name of the subject's node or zone. */
    name: namesOf(subject, index)[0] ?? '',
    node,
    isLocal: subject.type === 'node' && subject.node === localNode,
    /** The failure that most looks share; undefined if there is no majority. */
    failure: mostCommon(failures, slots.length / 2 + 0.5),
    /** Most looks are refused, or could not be sent. */
    isRejected: 2 * rejected.length > slots.length,
    /** The HTTP status that this agent's own node got, where it is among those that fail by it. */
    statusHere: isStatusHere ? definition?.statusHere : undefined,
    localName: input.localName,
    /** That of the agents in Kubernetes, where the endpoint plane is the network of pods; undefined elsewhere. */
    namespace: input.namespace,
    sinceMs: input.now - 1000 * beganS,
    /** The looks that it explains: twice the number of a node, and one more on the endpoint plane. */
    slots,
    looks: (words: (failure: FailureKind | undefined) => string): Look[] =>
      sample(slots, localNode).map((slot) => ({
        from: index.nodes[slot >> 1]?.name ?? '',
        plane: planes[slot & 1] ?? 'host',
        failure: words(failureOf(slot)),
        since: isoTime(input, input.now - 1000 * (looks.ageS[slot] ?? 0)),
      })),
  };
}

type Look = NonNullable<Finding['looks']>[number];

/** Some looks: those of the local node first, one of each node before a second one. */
function sample(slots: readonly number[], localNode: number): readonly number[] {
  const rankOf = (slot: number, at: number) =>
    slot >> 1 === localNode ? 0 : slot >> 1 === (slots[at - 1] ?? -1) >> 1 ? 2 : 1;
  const ranks = slots.map(rankOf);
  return [0, 1, 2]
    .flatMap((rank) => slots.filter((_, at) => ranks[at] === rank))
    .slice(0, mostLooks);
}
