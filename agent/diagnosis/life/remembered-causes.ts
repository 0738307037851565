import { beginS, mostAges } from '../evidence/begin.js';
import type { SharedPaths } from '../evidence/evidence-paths.js';
import { observerAt } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { timesOf } from '../evidence/paths-of.js';
import { allProbedS, clockErrorS } from '../evidence/time-model.js';
import { isUnansweredSince } from '../evidence/unanswered.js';
import { singleWays, type Cause } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { DiagnosisInput, DiagnosisOutput } from '../nouns/diagnosis-input.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { PastCause } from '../nouns/memory.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import { paced } from '../nouns/steps.js';
import { noneWorks, workingOf } from './reached-by-others.js';

/** The failing paths, and which of them more than one cause explains. */
export interface ExplainedPaths {
  readonly tally: Tally;
  readonly explanation: SharedPaths;
}

/** The work between two yields, in causes. */
const slice = 200;

/** What is remembered of causes for the next run: those that are shown now, and those that were. */
export function* rememberCauses(
  shown: Iterable<{ readonly cause: Cause; readonly isSilent: boolean }>,
  before: readonly PastCause[],
  input: DiagnosisInput,
  explained: ExplainedPaths,
): Generator<void, readonly PastCause[]> {
  const past = [...before];
  // There may be thousands, so no text is made of each.
  const goingOn = new Map<string, number[]>();
  for (const [at, { names, endedMs }] of past.entries())
    if (endedMs === undefined) getOrInsert(goingOn, names[0] ?? '', () => []).push(at);
  const isEnough = paced(slice);
  for (const { cause, isSilent } of shown) {
    if (isEnough(1)) yield;
    const { subject, channels } = cause;
    const [first = '', second] = namesOf(subject, input.index);
    const same = goingOn.get(first)?.find((at) => {
      const one = past[at];
      return one?.channels === channels && one.type === subject.type && one.names[1] === second;
    });
    const former = same === undefined ? undefined : past[same];
    const isSettled = former && input.now - former.beganMs > settledMs;
    const beganMs = isSettled ? former.beganMs : beganMsOf(cause, input, explained);
    past[same ?? past.length] = pastCause(cause, beganMs, input, {
      isSilent,
      working: workingOf(cause, former, input, explained.tally),
      failing: former?.failing ?? noneFails,
      isUnanswered:
        former?.isUnanswered === true || isUnansweredNow(cause, beganMs, input, explained.tally),
      isAnswered: former?.isAnswered === true || isAnswered(cause, explained.tally),
    });
  }
  return past;
}

/** The causes at a node that were shown lately, from first to last. Thousands of causes ask for those at their node. */
export function pastAtNode(
  previous: Pick<DiagnosisOutput, 'past'> | undefined,
  name: string,
): readonly PastCause[] {
  if (!previous) return [];
  const ofNodes = getOrInsert(byNode, previous.past, () => {
    const atNodes = new Map<string, PastCause[]>();
    for (const cause of previous.past)
      if (cause.type === 'node') getOrInsert(atNodes, cause.names[0] ?? '', () => []).push(cause);
    return atNodes;
  });
  return ofNodes.get(name) ?? [];
}

/** By the causes of one run. */
const byNode = new WeakMap<readonly PastCause[], ReadonlyMap<string, readonly PastCause[]>>();

/** After this time all rows that tell of a beginning have come. */
const settledMs = 60_000;

/** How much of it failed is not known. */
const noneFails: PastCause['failing'] = { share: 0, sinceMs: 0, lastMs: 0 };
/** What is known of a cause that was not shown yet. */
const justFound = {
  isSilent: false,
  isUnanswered: false,
  isAnswered: false,
  working: noneWorks,
  failing: noneFails,
};

/** A cause that goes on, as far as is known. There may be thousands of these: spreading objects takes far longer. */
export function pastCause(
  cause: Cause,
  beganMs: number,
  { now, index }: DiagnosisInput,
  { isSilent, isUnanswered, isAnswered, working, failing } = justFound,
): PastCause {
  const { trouble, channels, type, names, nodes } = nameCause(cause, index);
  return {
    trouble,
    channels,
    type,
    names,
    nodes,
    ways: cause.ways,
    isSilent,
    isUnanswered,
    isAnswered,
    working,
    failing,
    beganMs,
    shownMs: now,
    endedMs: undefined,
    overMs: undefined,
  };
}

/** Whether most of what fails to reach a node fails by an answer. */
function isAnswered({ subject, ways, knownChannels }: Cause, { to }: Tally): boolean {
  return (
    subject.type === 'node' && ways === 'in' && (to.answersOf(subject.node) & knownChannels) !== 0
  );
}

/** Whether nothing that a node sends on the channels of a cause was answered since that began, as its row says. */
function isUnansweredNow(
  { subject, ways, knownChannels }: Cause,
  beganMs: number,
  { now }: DiagnosisInput,
  tally: Tally,
): boolean {
  if (subject.type !== 'node' || ways === 'in') return false;
  const { node } = subject;
  const own = observerAt(tally.observations, node);
  if (!own) return false;
  // A channel may have failed later than the others.
  const sinceS = (one: number) => Math.min((now - beganMs) / 1000, tally.beganS(node, one, 'out'));
  return channelsIn(knownChannels).every((one) => isUnansweredSince(own, one, sinceS(one)));
}

/**
 * When a cause began, in monotonic milliseconds. The probes to a node and those that it sends may have begun to fail at different
 * times: a cause in both directions began with the later one. So it did with the last of its channels, where these began further
 * apart than all need to probe them.
 */
export function beganMsOf(cause: Cause, input: DiagnosisInput, explained: ExplainedPaths): number {
  const { subject, ways, entries, knownChannels } = cause;
  const { from } = explained.tally.observations.entries;
  const node = subject.type === 'node' && ways === 'both' ? subject.node : undefined;
  const directions = (node === undefined ? [] : [true, false])
    .map((isOut) => entries.filter((entry) => (from[entry] === node) === isOut))
    .filter(({ length }) => length > 0);
  // Rows that only count what fails name no entry.
  const parts = directions.length < 2 ? [entries] : directions;
  const began = parts.map((some) => beganMsOfAll(some, knownChannels, input, explained));
  const beganS = (input.now - Math.max(...began)) / 1000;
  return input.now - 1000 * Math.min(beganS, ...laterChannelsS(cause, beganS, explained.tally));
}

/** When those channels of a node's cause began to fail that did so long after it began, in seconds ago. */
function laterChannelsS(
  { subject, ways, knownChannels }: Cause,
  beganS: number,
  tally: Tally,
): readonly number[] {
  if (subject.type !== 'node') return [];
  const times = timesOf(subject, ways, knownChannels, beganS, tally);
  return channelsIn(knownChannels).flatMap((channel) => {
    const time = times[channel];
    const latestS = beganS - (time ? allProbedS(time) : 0) - clockErrorS;
    return singleWays[ways]
      .map((way) => tally.beganS(subject.node, channel, way))
      .filter((channelS) => channelS < latestS);
  });
}

/** @param hasShared counts what another cause explains too, which may have begun long before: where it explains all of its paths */
function beganMsOfAll(
  entries: Int32Array,
  channels: number,
  input: DiagnosisInput,
  explained: ExplainedPaths,
  hasShared = false,
): number {
  const { tally, explanation } = explained;
  // A cause of thousands of paths is told by some of them.
  const step = Math.max(1, Math.floor((entries.length * sizeOf(channels)) / mostAges));
  let [count, windowS] = [0, 0];
  for (let at = 0; at < entries.length; at += step) {
    const entry = entries[at] ?? 0;
    for (const channel of channelsIn((tally.bad[entry] ?? 0) & channels)) {
      if (!hasShared && explanation.isShared(entry, channel)) continue;
      sampled[count++] = tally.ageS(entry, channel);
      windowS = Math.max(windowS, tally.times.alone[channel]?.sweepS ?? 0);
    }
  }
  if (count === 0 && !hasShared) return beganMsOfAll(entries, channels, input, explained, true);
  return input.now - 1000 * (beginS(sampled, windowS + clockErrorS, count) ?? 0);
}

/** The ages of some paths of a cause: of no more than twice as many as represent all, and those of one entry. */
const sampled = new Float64Array(4 * mostAges);
