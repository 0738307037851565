import { confidenceOf } from './confidence.js';
import { mostCommon } from '../nouns/most-common.js';
import { planes } from '../../model/path.js';
import type { Facts } from '../evidence/facts.js';
import { targetFindingId } from './finding-id.js';
import type { TargetKind } from './kind.js';
import { targetKindOf } from './kinds.js';
import { targetCommands } from './target-command.js';
import type { Candidate } from '../nouns/candidate.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import type { Finding } from '../nouns/finding.js';
import { namesOf, type NamedCause } from '../nouns/named-cause.js';
import type { TargetSight } from '../nouns/target-sight.js';
import type { TargetCause } from '../search/explain-target.js';
import type { Cause } from '../nouns/cause.js';
import { targetSeen } from '../search/target-seen.js';
import {
  planesOf,
  serverId,
  targetKey,
  type TargetQuestion,
  type TargetTally,
} from '../evidence/target-tally.js';

/** A finding about a target that may open, and the looks that it explains. */
export interface TargetCandidate extends Candidate {
  readonly question: TargetQuestion;
  readonly sight: TargetSight;
  readonly kind: TargetKind;
  readonly slots: readonly number[];
  /** Those of other targets that became a part of it. */
  readonly joined: readonly TargetCandidate[];
}

/** So many looks stand beside a finding about a target. */
const mostLooks = 10;

/** Writes the finding of a cause about a target. */
export function buildTargetFinding(
  tally: TargetTally,
  found: TargetCause,
  { input, index, localNode, observations }: Facts,
  definition: DiagnosisTarget | undefined,
): TargetCandidate {
  const { question, lists } = tally;
  const { cause, slots, beganS } = found;
  const { subject } = cause;
  const [failingPlanes, knownPlanes] = [planesOf(cause.channels), planesOf(cause.knownChannels)];
  const [name = ''] = namesOf(subject, index);
  const { observers, observerOf } = observations;
  const confirmedS = (at: number): number => observers[observerOf[at] ?? -1]?.ageS ?? Infinity;
  const node = subject.type === 'node' ? index.nodes[subject.node] : undefined;
  const { server: about } = question;
  const server = about && {
    number: about.number,
    id: serverId(about),
    address: lists.addressOf(about.list, about.number),
  };
  // What is typed on a node is to ask a server of that node.
  const first = node ? lists.addressOf(lists.digestAt(slots[0] ?? 0), 0) : lists.ownFirst;
  const sight: TargetSight = {
    target: question.looks.name,
    also: [],
    trouble: question.trouble,
    planes: question.looks.planes,
    server,
    servers: lists.countAt(slots[0] ?? 0) ?? 0,
    asked: server ? server.address : first,
    subject,
    failingPlanes,
    knownPlanes,
    seen: targetSeen(tally, found, confirmedS),
    definition,
    name,
    node,
    failure: mostCommon(
      slots.map((slot) => question.looks.details.get(slot)?.failure),
      slots.length / 2 + 0.5,
    ),
    isRejected: isMostlyRejected(tally, slots),
    statusHere: statusHere(tally, slots, definition, localNode, index.nodes[localNode]?.name),
    namespace: input.namespace,
  };
  const kind = targetKindOf(sight);
  const timeOf = (ageS: number) => isoTime(input, input.now - 1000 * ageS);
  const finding: Finding = {
    id: targetFindingId(sight),
    kind: kind.kind,
    severity: kind.severity,
    target: sight.target,
    ...(server?.address !== undefined && { servers: [server.address] }),
    ...(node && { node: node.name }),
    ...(subject.type === 'zones' && { zones: [name] }),
    ...(failingPlanes !== sight.planes && { plane: failingPlanes === 1 ? 'host' : 'endpoint' }),
    protocols: [],
    since: timeOf(beganS),
    seenBy: sight.seen.all,
    explains: slots.length,
    confidence: confidenceOf(slots.length, cause.well),
    text: kind.text(sight),
    next: targetCommands(sight),
    evidence: [],
    looks: sample(slots, localNode).map((slot) => ({
      from: index.nodes[slot >> 1]?.name ?? '',
      plane: planes[slot & 1] ?? 'host',
      failure: kind.lookWords(question.looks.details.get(slot)?.failure),
      since: timeOf(tally.slotAgeS(slot)),
    })),
    ...(subject.type === 'node' && subject.node === localNode && { local: true as const }),
  };
  return {
    finding,
    sinceMs: input.now - 1000 * beganS,
    settleMs: kind.waitsMs(sight),
    lookedMs: input.now - 1000 * tally.lastLookS(slots),
    causes: [nameTargetCause(question, cause, subject.type === 'cluster' ? [] : [name])],
    explained: [],
    question,
    sight,
    kind,
    slots,
    joined: [],
  };
}

/** What is remembered of a cause about a target. */
export function nameTargetCause(
  question: TargetQuestion,
  { subject: { type }, channels }: Pick<Cause, 'subject' | 'channels'>,
  names: readonly string[],
): NamedCause {
  const { trouble } = question;
  return { trouble, channels, type, names, target: targetKey(question) };
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

/** A host rejects what it sends itself, and pods are told so: they see the same thing as different failures. */
function isMostlyRejected({ question }: TargetTally, slots: readonly number[]): boolean {
  const rejected = slots.filter((slot) => {
    const failure = question.looks.details.get(slot)?.failure;
    return failure === 'local' || failure === 'refused';
  });
  return 2 * rejected.length > slots.length;
}

/** What this agent's own node got, if its look is one of these and fails by its status. */
function statusHere(
  { question }: TargetTally,
  slots: readonly number[],
  definition: DiagnosisTarget | undefined,
  localNode: number,
  name = '',
): TargetSight['statusHere'] {
  const status = definition?.statusHere;
  const isOne = slots.some(
    (slot) => slot >> 1 === localNode && question.looks.details.get(slot)?.failure === 'status',
  );
  return status !== undefined && isOne ? { status, node: name } : undefined;
}
