import type { FailureKind } from '../../model/failure.js';
import { planes } from '../../model/path.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import type { Candidate } from '../nouns/candidate.js';
import type { Facts } from '../facts.js';
import { allMask, endpointMask, hostMask } from '../nouns/channel-mask.js';
import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import { wordsOf } from '../evidence-paths.js';
import type { Finding, FindingKind } from '../nouns/finding.js';
import { namesOf, type NamedCause } from '../nouns/named-cause.js';
import type { TargetCause } from './target-cause.js';
import { targetCommands } from './target-commands.js';
import { targetSeen, type TargetSeen } from './target-seen.js';
import { targetText } from './target-text.js';
import type { TargetQuestion, TargetTally } from './target-tally.js';

/** A finding about a target that may open, and the looks that it explains. */
export interface TargetCandidate extends Candidate {
  readonly question: TargetQuestion;
  readonly slots: readonly number[];
}

/** Enough have looked since, and those who see it agree. */
const agreedSettleMs = 2000;
/** Not all of the node's zone have: a hint and a verdict take them so long. */
const inZoneSettleMs = 3500;
const incompleteSettleMs = 10_000;
const lossySettleMs = 10_000;
const slowSettleMs = 60_000;
const mostLooks = 10;

/** Writes the finding of a cause about a target. */
export function buildTargetFinding(
  tally: TargetTally,
  cause: TargetCause,
  { input, index, localNode, observations }: Facts,
  definition: DiagnosisTarget | undefined,
): TargetCandidate {
  const { question } = tally;
  const { subject, slots, beganS } = cause;
  const [name = ''] = namesOf(subject, index);
  const { observers, observerOf } = observations;
  const confirmedS = (at: number): number => observers[observerOf[at] ?? -1]?.ageS ?? Infinity;
  const seen = targetSeen(tally, cause, confirmedS);
  const failure = commonFailure(tally, slots);
  const node = subject.type === 'node' ? index.nodes[subject.node] : undefined;
  const isOnePlane = cause.claim !== question.looks.planes;
  const timeOf = (ageS: number) => isoTime(input, input.now - 1000 * ageS);
  const server = question.server === undefined ? undefined : definition?.servers[question.server];
  const finding: Finding = {
    id: targetId(question, cause, name),
    kind: kindOf(question, cause, seen),
    severity: question.trouble === 'broken' ? 'broken' : 'degraded',
    target: question.looks.name,
    ...(server !== undefined && { servers: [server] }),
    ...(node && { node: node.name }),
    ...(subject.type === 'zones' && { zones: [name] }),
    ...(isOnePlane && { plane: cause.claim === 1 ? 'host' : 'endpoint' }),
    protocols: [],
    since: timeOf(beganS),
    seenBy: seen.all,
    explains: slots.length,
    confidence: confidenceOf(slots.length, cause.well),
    text: targetText({
      cause,
      question,
      seen,
      definition,
      name,
      failure: failure === undefined || failure === 'timeout' ? undefined : targetWords(failure),
      hasPods: input.namespace !== undefined,
    }),
    next: targetCommands({
      name: question.looks.name,
      definition,
      server,
      node,
      failure,
      namespace: input.namespace,
    }),
    evidence: [],
    looks: sample(slots, localNode).map((slot) => ({
      from: index.nodes[slot >> 1]?.name ?? '',
      plane: planes[slot & 1] ?? 'host',
      failure: lookWords(tally, slot),
      since: timeOf(tally.ageS(slot)),
    })),
    ...(subject.type === 'node' && subject.node === localNode && { local: true as const }),
  };
  return {
    finding,
    sinceMs: input.now - 1000 * beganS,
    settleMs: settleMs(question, seen),
    lookedMs: input.now - 1000 * tally.lastLookS(slots),
    causes: [nameTargetCause(question, cause, subject.type === 'cluster' ? [] : [name])],
    explained: [],
    question,
    slots,
  };
}

/** What is remembered of a cause about a target. */
export function nameTargetCause(
  question: TargetQuestion,
  { subject: { type }, claim }: Pick<TargetCause, 'subject' | 'claim'>,
  names: readonly string[],
): NamedCause {
  const { trouble } = question;
  return { trouble, claim: channelsOf(claim), type, names, target: targetKey(question) };
}

/** The channels of some planes, as findings about paths have them. */
export function channelsOf(claim: number): number {
  return claim === 3 ? allMask : claim === 1 ? hostMask : endpointMask;
}

/** A text that is the same for the same target and server. */
export function targetKey({ looks, server }: TargetQuestion): string {
  return server === undefined ? looks.name : `${looks.name} server-${server + 1}`;
}

/**
 * The id of a cause's finding: what it is about, so that it stays when the kind changes because some
 * reach the target again.
 */
function targetId(
  { looks, trouble, server }: TargetQuestion,
  { subject, claim }: TargetCause,
  name: string,
): string {
  const kind =
    trouble === 'broken'
      ? subject.type === 'cluster'
        ? 'target-down'
        : 'target-unreachable'
      : trouble === 'slow'
        ? 'target-slow'
        : 'target-lossy';
  return [
    kind,
    looks.name,
    ...(server === undefined ? [] : [`server-${server + 1}`]),
    ...(subject.type === 'node' ? [name] : subject.type === 'zones' ? [`zone=${name}`] : []),
    ...(claim === looks.planes ? [] : [claim === 1 ? 'host' : 'endpoint']),
  ].join(':');
}

function kindOf(
  { trouble }: TargetQuestion,
  { subject }: TargetCause,
  seen: TargetSeen,
): FindingKind {
  if (trouble === 'slow') return 'target-slow';
  if (trouble === 'lossy') return 'target-lossy';
  const isAll = subject.type === 'cluster' && seen.all.failing >= seen.all.of;
  return isAll ? 'target-down' : 'target-unreachable';
}

function settleMs(
  { trouble }: TargetQuestion,
  { isComplete, isWaiting, isZoneComplete }: TargetSeen,
): number {
  if (trouble === 'lossy') return lossySettleMs;
  if (trouble === 'slow') return slowSettleMs;
  // It began before that, so time alone would open it at once.
  if (isWaiting) return Infinity;
  if (!isComplete) return incompleteSettleMs;
  return isZoneComplete ? agreedSettleMs : inZoneSettleMs;
}

/** The share of the looks that fail. Few looks give a lower confidence. */
function confidenceOf(fails: number, works: number): number {
  return Math.round(((fails + 0.5) / (fails + works + 1.5)) * 100) / 100;
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

function commonFailure(
  { question }: TargetTally,
  slots: readonly number[],
): FailureKind | undefined {
  const counts = new Map<FailureKind, number>();
  for (const slot of slots) {
    const failure = question.looks.details.get(slot)?.failure;
    if (failure) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  }
  for (const [failure, count] of counts) if (2 * count > slots.length) return failure;
  return undefined;
}

function lookWords({ question }: TargetTally, slot: number): string {
  if (question.trouble === 'lossy') return 'loses probes';
  if (question.trouble === 'slow') return 'answers late';
  const failure = question.looks.details.get(slot)?.failure;
  return failure === undefined ? 'no answer' : targetWords(failure);
}

/** Other answers are expected of targets than of agents. */
function targetWords(failure: FailureKind): string {
  if (failure === 'status') return 'unexpected status';
  return failure === 'protocol' ? 'answer of another protocol' : wordsOf(failure);
}
