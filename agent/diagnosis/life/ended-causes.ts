import { freshForMs } from '../../model/row.js';
import { beginS, mostAges } from '../evidence/begin.js';
import { overdueOf, clockErrorS, type ProbeTime } from '../evidence/time-model.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';
import { nameCause, namesOf, subjectOf } from '../nouns/named-cause.js';
import { nodesAt, type Subject } from '../nouns/subject.js';
import { paced } from '../nouns/steps.js';
import { observerAt } from '../evidence/observations.js';
import { isAnswered, isUnansweredSince } from '../evidence/unanswered.js';
import type { SharedPaths } from '../evidence/evidence-paths.js';
import { countsAt } from '../evidence/path-counts.js';
import { isPathOf, knownPaths, timesOf } from '../evidence/paths-of.js';
import type { Tally } from '../evidence/tally.js';
import { fitEnd, type RowOfCause } from './fit-end.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** A cause has ended if so much less contradicts it then, in natural logarithms of odds. */
const leastGain = 4.6;
/** What one row tells of all paths to a node is less than this, as it may be wrong. */
const leastGainOfNode = 6;
/** A pair has no more than two witnesses, and what a node sends has one: the node. */
const leastGainOfFew = 3;
/** Further channels of one row say little more than the first. */
const furtherChannel = 0.2;
/** What a node tells itself or sends counts as two rows: it is about many paths. */
const ownRows = 2;

/** What causes that have ended explain of what rows from before still tell. */
export interface Ends {
  readonly causes: readonly PastCause[];
  /** What is left of a failing path's weight, by four times the entry plus the channel: Infinity where no ended cause explains it. Undefined without any. */
  readonly weights: Float32Array | undefined;
}

/** The failing paths, and which of them more than one cause explains. */
export interface ExplainedPaths {
  readonly tally: Tally;
  readonly explanation: SharedPaths;
}

/** The work between two yields, in rows. */
const slice = 4000;

/** Finds which causes of the last runs have ended, and when. One that has ended stays for as long as rows from before may come. */
export function* findEnds(input: DiagnosisInput, tally: Tally): Generator<void, Ends> {
  const { previous, now } = input;
  const past = previous?.past ?? [];
  const { own, observers } = tally.observations;
  // A row that was confirmed an interval after the end may not have looked since, and then it is fresh.
  const keptMs = own ? freshForMs(own) + own.httpIntervalMs : 0;
  const isAllWell = tally.badEntries.length === 0;
  const causes: PastCause[] = [];
  let weights: Float32Array | undefined;
  const isEnough = paced(slice);
  for (const cause of past) {
    if (now - (cause.endedMs ?? cause.shownMs) > keptMs) continue;
    if (isAllWell) {
      const { endedMs = now, overMs = now } = cause;
      causes.push({ ...cause, endedMs, overMs });
      continue;
    }
    const subject = subjectOf(cause, tally.index);
    if (!subject) continue;
    if (isEnough(mayHaveEnded(cause, subject, input, tally) ? observers.length : 1)) yield;
    // Later rows only tell later that it ended.
    const endedMs = cause.endedMs ?? endOf(cause, subject, input, tally);
    const ended = endedMs !== undefined && { ...cause, endedMs, overMs: cause.overMs ?? now };
    causes.push(ended || cause);
    if (ended) weights = lightened(weights, { ...ended, subject }, input, tally);
  }
  return { causes, weights };
}

/** The same of the causes that explain what rows tell: an agent that has just started remembers none. Undefined if none has ended. */
export function* findEndsOf(
  found: Iterable<Cause>,
  known: Ends,
  input: DiagnosisInput,
  explained: ExplainedPaths,
): Generator<void, Ends | undefined> {
  const { tally } = explained;
  const causes: PastCause[] = [];
  let { weights } = known;
  const isEnough = paced(slice);
  for (const cause of found) {
    if (cause.well === 0 || cause.isPartial) continue;
    if (isEnough(tally.observations.observers.length)) yield;
    const { subject } = cause;
    const past = pastCause(cause, beganMsOf(cause, input, explained), input);
    const endedMs = endOf(past, subject, input, tally);
    if (endedMs === undefined) continue;
    const ended = { ...past, endedMs, overMs: input.now };
    causes.push(ended);
    weights = lightened(weights, { ...ended, subject }, input, tally);
  }
  return causes.length === 0 ? undefined : { causes: [...known.causes, ...causes], weights };
}

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
  for (let at = 0; at < past.length; at++) {
    const { names: [first = ''] = [], endedMs } = past[at] ?? {};
    if (endedMs !== undefined) continue;
    getOrInsert(goingOn, first, () => []).push(at);
  }
  const isEnough = paced(slice);
  for (const { cause, isSilent } of shown) {
    if (isEnough(20)) yield;
    const { subject, channels } = cause;
    const names = namesOf(subject, input.index);
    const same = goingOn.get(names[0] ?? '')?.find((at) => {
      const one = past[at];
      return one?.channels === channels && one.type === subject.type && one.names[1] === names[1];
    });
    const former = same === undefined ? undefined : past[same];
    const isSettled = former && input.now - former.beganMs > settledMs;
    const beganMs = isSettled ? former.beganMs : beganMsOf(cause, input, explained);
    const isUnanswered = former?.isUnanswered ?? false;
    past[same ?? past.length] = pastCause(cause, beganMs, input, {
      isSilent,
      working: workingOf(cause, former, input, explained.tally),
      isUnanswered: isUnanswered || isUnansweredNow(cause, beganMs, input, explained.tally),
    });
  }
  return past;
}

/** After this time all rows that tell of a beginning have come. */
const settledMs = 60_000;

/** The least share is kept for so long: what was reached for a while only, or was not known, does not count for ever. */
const workingKeptMs = 30_000;

/**
 * Which share of the paths of a cause at a node works all the while: others may reach it. The least one counts, as more and
 * more see a trouble that has begun, and fewer and fewer one that was repaired.
 */
function workingOf(
  { subject, channels, ways }: Cause,
  former: PastCause | undefined,
  { now }: DiagnosisInput,
  tally: Tally,
): PastCause['working'] {
  if (subject.type !== 'node') return noneWorks;
  const { bad, reported } = countsAt(tally, subject.node, channels, ways);
  const share = workingShare(bad, reported);
  const isKept = former !== undefined && now - former.working.sinceMs < workingKeptMs;
  return isKept && former.working.share <= share ? former.working : { share, sinceMs: now };
}

/** Which share of the paths that rows count works, from 0 to 1. A row names nodes of its zone too, so more may fail than are counted. */
export function workingShare(failing: number, reported: number): number {
  return reported === 0 ? 0 : Math.max(1 - failing / reported, 0);
}

/** Of each node that others reached all the while its trouble went on: the channels of its causes. Thousands of causes ask for it. */
export function reachedByOthers(
  past: readonly PastCause[],
): ReadonlyMap<string, readonly number[]> {
  return getOrInsert(reachedOf, past, () => {
    const reached = new Map<string, number[]>();
    for (const { type, names, channels, endedMs, working } of past) {
      if (type !== 'node' || endedMs !== undefined || working.share === 0) continue;
      getOrInsert(reached, names[0] ?? '', () => []).push(channels);
    }
    return reached;
  });
}

/** What `reachedByOthers` counted, by the causes of one run. */
const reachedOf = new WeakMap<readonly PastCause[], ReadonlyMap<string, readonly number[]>>();

const noneWorks: PastCause['working'] = { share: 0, sinceMs: 0 };

/** A cause that goes on, as far as is known. There may be thousands of these: spreading objects takes far longer. */
function pastCause(
  cause: Cause,
  beganMs: number,
  { now, index }: DiagnosisInput,
  {
    isSilent = false,
    isUnanswered = false,
    working = noneWorks,
  }: Partial<Pick<PastCause, 'isSilent' | 'isUnanswered' | 'working'>> = {},
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
    working,
    beganMs,
    shownMs: now,
    endedMs: undefined,
    overMs: undefined,
  };
}

/** Whether nothing that a node sends on the channels of a cause was answered since that began, as its row says. */
function isUnansweredNow(
  { subject, ways, knownChannels }: Cause,
  beganMs: number,
  { now }: DiagnosisInput,
  { observations }: Tally,
): boolean {
  const own = subject.type === 'node' && ways !== 'in' && observerAt(observations, subject.node);
  if (!own) return false;
  const sinceS = (now - beganMs) / 1000;
  return channelsIn(knownChannels).every((one) => isUnansweredSince(own, one, sinceS));
}

function beganMsOf(cause: Cause, { now }: DiagnosisInput, explained: ExplainedPaths): number {
  return now - 1000 * (beganS(cause, explained) ?? beganS(cause, explained, true) ?? 0);
}

/** The same in seconds ago, undefined without such paths; `ofAll` counts what another cause explains too, which may have begun long before. */
function beganS(
  { entries, knownChannels }: Cause,
  { tally, explanation }: ExplainedPaths,
  ofAll = false,
): number | undefined {
  // A cause of thousands of paths is told by some of them.
  const step = Math.max(1, Math.floor((entries.length * sizeOf(knownChannels)) / mostAges));
  let [count, windowS] = [0, 0];
  for (let at = 0; at < entries.length; at += step) {
    const entry = entries[at] ?? 0;
    const failing = (tally.bad[entry] ?? 0) & knownChannels;
    for (const channel of channelsIn(failing)) {
      if (!ofAll && explanation.isShared(entry, channel)) continue;
      sampled[count++] = tally.ageS(entry, channel);
      windowS = Math.max(windowS, tally.times.alone[channel]?.sweepS ?? 0);
    }
  }
  return beginS(sampled, windowS + clockErrorS, count);
}

/** The ages of some paths of a cause: of no more than twice as many as represent all, and those of one entry. */
const sampled = new Float64Array(4 * mostAges);

type Placed = PastCause & { readonly subject: Subject };

function endOf(
  past: PastCause,
  subject: Subject,
  input: DiagnosisInput,
  tally: Tally,
): number | undefined {
  const { now } = input;
  const { ways, channels } = past;
  if (!mayHaveEnded(past, subject, input, tally)) return undefined;
  const own = subject.type === 'node' ? observerAt(tally.observations, subject.node) : undefined;
  if (own && past.isUnanswered && isAnswered(own, channels)) return now - 1000 * own.ageS;
  const { type } = subject;
  const hasFewWitnesses = type === 'pair' || (type === 'node' && ways === 'out');
  const beganS = (now - past.beganMs) / 1000;
  const time = slowestOf(channels, timesOf(subject, ways, channels, beganS, tally));
  const end = fitEnd(rowsOf({ ...past, subject }, input, tally), beganS, time);
  const least = hasFewWitnesses ? leastGainOfFew : type === 'node' ? leastGainOfNode : leastGain;
  if (!end || end.gain < least) return undefined;
  return now - 1000 * end.endedS;
}

/** Cheap for the thousands of dead nodes that nothing contradicts. */
function mayHaveEnded(
  cause: PastCause,
  subject: Subject,
  input: DiagnosisInput,
  tally: Tally,
): boolean {
  const { channels, isSilent, beganMs } = cause;
  if (subject.type !== 'node') return true;
  const { well } = tally.toNode(subject.node);
  if (channelsIn(channels).some((channel) => (well[channel] ?? 0) > 0.5)) return true;
  if (!isSilent && cause.ways === 'in') return false;
  const own = observerAt(tally.observations, subject.node);
  const name = tally.index.nodes[subject.node]?.name ?? '';
  return (
    (own !== undefined && input.now - 1000 * own.ageS > beganMs) ||
    input.now - (input.heardMsAgo.get(name) ?? Infinity) > beganMs ||
    tally.observations.heard.has(subject.node)
  );
}

function slowestOf(channels: number, times: readonly ProbeTime[]): ProbeTime {
  const its = channelsIn(channels).flatMap((channel) => times[channel] ?? []);
  const most = (what: keyof ProbeTime) => Math.max(...its.map((time) => time[what]));
  return {
    sweepS: most('sweepS'),
    hintedS: most('hintedS'),
    recoveredS: most('recoveredS'),
    confirmS: most('confirmS'),
  };
}

/** What each row tells of the paths of a cause. That of one of its own nodes counts twice for its own paths, which are many. */
function rowsOf(cause: Placed, input: DiagnosisInput, tally: Tally): RowOfCause[] {
  const rows: RowOfCause[] = [];
  const { subject, channels, isSilent } = cause;
  const most = -Math.log(cause.working.share);
  const { index, observations } = tally;
  const { observers, observerOf, entries, heard } = observations;
  // Whatever a silent node sends ends its cause.
  const ways = isSilent ? 'both' : cause.ways;
  const isPath = isPathOf(subject, ways, index);
  const isOfTwo = subject.type === 'pair' || subject.type === 'groups';
  const tellOwn = ways === 'in' || isOfTwo ? [] : nodesAt(subject, index);
  const ends = new Set(tellOwn);
  const failing = new Float64Array(observers.length);
  const notWell = new Float64Array(observers.length);
  const around = subject.type === 'node' ? tally.entriesOf(subject.node, ways) : undefined;
  const size = around?.length ?? entries.size;
  for (let at = 0; at < size; at++) {
    const entry = around?.[at] ?? at;
    const bad = (tally.bad[entry] ?? 0) & channels;
    const unknown = (tally.covered[entry] ?? 0) & channels;
    if ((bad | unknown) === 0 || !isPath(entries.from[entry] ?? 0, entries.to[entry] ?? 0))
      continue;
    const observer = observerOf[entries.from[entry] ?? 0] ?? -1;
    failing[observer] = (failing[observer] ?? 0) + sizeOf(bad);
    notWell[observer] = (notWell[observer] ?? 0) + sizeOf(unknown);
  }
  const knownOf = knownPaths(subject, ways, channels, index);
  for (const [number, observer] of observers.entries()) {
    const known = knownOf(observer);
    const [work, fail] = [Math.max(known - (notWell[number] ?? 0), 0), failing[number] ?? 0];
    const paths = work + fail;
    if (paths === 0) continue;
    const isOwn = ends.has(observer.node);
    const isOfNode = subject.type === 'node' || subject.type === 'pair';
    const count = isOwn ? ownRows : isOfNode ? 1 + furtherChannel * (paths - 1) : 1;
    const [works, fails] = [(count * work) / paths, (count * fail) / paths];
    rows.push({ confirmedS: observer.ageS, works, fails, most });
  }
  if (!isSilent || subject.type !== 'node') return rows;
  const latestMs = input.now - cause.beganMs - 1000 * clockErrorS;
  const heardMs = input.heardMsAgo.get(index.nodes[subject.node]?.name ?? '') ?? Infinity;
  for (const msAgo of [heardMs, ...(heard.get(subject.node) ?? []).map((one) => one.msAgo)]) {
    if (msAgo < latestMs)
      rows.push({ confirmedS: msAgo / 1000, works: ownRows, fails: 0, most: Infinity });
  }
  return rows;
}

/** Takes the weight of failing paths that a cause explains which has ended, as far as its end does. */
function lightened(
  known: Float32Array | undefined,
  cause: Placed & { readonly endedMs: number; readonly overMs: number },
  { now }: DiagnosisInput,
  tally: Tally,
): Float32Array {
  const weights = known ?? new Float32Array(4 * tally.bad.length).fill(Infinity);
  const { subject, ways, channels } = cause;
  const endedS = (now - cause.endedMs) / 1000;
  const overS = (now - cause.overMs) / 1000;
  const { entries } = tally.observations;
  const times = timesOf(subject, ways, channels, (now - cause.beganMs) / 1000, tally);
  // Of who was not reached, rows come only now.
  const isPath = isPathOf(subject, 'both', tally.index);
  const failing =
    subject.type === 'node' ? tally.entriesOf(subject.node, 'both') : tally.badEntries;
  for (const entry of failing) {
    const bad = (tally.bad[entry] ?? 0) & channels;
    const from = entries.from[entry] ?? 0;
    if (bad === 0 || !isPath(from, entries.to[entry] ?? 0)) continue;
    const confirmedS = observerAt(tally.observations, from)?.ageS ?? 0;
    for (const channel of channelsIn(bad)) {
      const time = times[channel];
      // What began to fail later is of something else.
      if (!time || tally.ageS(entry, channel) < endedS - time.hintedS - clockErrorS) continue;
      const at = 4 * entry + channel;
      const left = overdueOf(overS, confirmedS, time) / sizeOf(bad);
      weights[at] = Math.min(weights[at] ?? 0, left);
    }
  }
  return weights;
}
