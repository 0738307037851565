import { observerAt } from '../evidence/observations.js';
import { isPathOf, knownPaths, timesOf } from '../evidence/paths-of.js';
import type { Tally } from '../evidence/tally.js';
import { clockErrorS, type ProbeTime } from '../evidence/time-model.js';
import { isAnswered } from '../evidence/unanswered.js';
import { singleWays } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';
import { nodesAt, type Subject } from '../nouns/subject.js';
import { fitEnd, type RowOfCause } from './fit-end.js';

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
/** While a cause spreads, some of its paths still work. One channel alone tells of its end once all paths were probed so often. */
const settledSweeps = 2;

/** What is known of broken paths in one run. */
export interface Run {
  readonly input: DiagnosisInput;
  readonly tally: Tally;
}

/** When a cause ended, in monotonic milliseconds, as rows tell; undefined if it goes on. */
export function endOf(past: PastCause, subject: Subject, run: Run): number | undefined {
  const { input, tally } = run;
  const { now } = input;
  const { ways, channels } = past;
  if (!mayHaveEnded(past, subject, run)) return undefined;
  const own = subject.type === 'node' ? observerAt(tally.observations, subject.node) : undefined;
  if (own && past.isUnanswered && isAnswered(own, channels)) return now - 1000 * own.ageS;
  const { type } = subject;
  const hasFewWitnesses = type === 'pair' || (type === 'node' && ways === 'out');
  const least = hasFewWitnesses ? leastGainOfFew : type === 'node' ? leastGainOfNode : leastGain;
  const beganS = (now - past.beganMs) / 1000;
  const whole = endOn(channels, beganS, least, past, subject, run);
  if (whole !== undefined || type !== 'node' || ways === 'out') return whole;
  // Some channels of a node may fail on for another cause. To ask that of zones would take long.
  const { sweepS } = slowestOf(channels, timesOf(subject, ways, channels, beganS, tally));
  const ends = channelsIn(channels).flatMap((channel) => {
    const begins = singleWays[ways].map((way) => tally.beganS(subject.node, channel, way));
    const onceS = Math.min(beganS, ...begins);
    if (onceS < settledSweeps * sweepS) return [];
    return endOn(1 << channel, onceS, least, past, subject, run) ?? [];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/**
 * When a cause ended, in monotonic milliseconds, as its paths on some channels tell; undefined if it goes on there.
 * @param beganS when these paths began to fail, in seconds ago
 * @param least it has ended if so much less contradicts that
 */
function endOn(
  channels: number,
  beganS: number,
  least: number,
  past: PastCause,
  subject: Subject,
  run: Run,
): number | undefined {
  const time = slowestOf(channels, timesOf(subject, past.ways, channels, beganS, run.tally));
  const end = fitEnd(rowsOf({ ...past, channels }, subject, run), beganS, time);
  return !end || end.gain < least ? undefined : run.input.now - 1000 * end.endedS;
}

/** Whether anything contradicts that a cause goes on. Cheap for the thousands of dead nodes of which nothing does. */
export function mayHaveEnded(cause: PastCause, subject: Subject, { input, tally }: Run): boolean {
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
function rowsOf(cause: PastCause, subject: Subject, { input, tally }: Run): RowOfCause[] {
  const rows: RowOfCause[] = [];
  const { channels, isSilent } = cause;
  const most = -Math.log(cause.working.share);
  const { index, observations } = tally;
  const { observers, observerOf, entries, heard } = observations;
  // Whatever a silent node sends ends its cause.
  const ways = isSilent ? 'both' : cause.ways;
  const isPath = isPathOf(subject, ways, index);
  const isOfTwo = subject.type === 'pair' || subject.type === 'groups';
  const ends = new Set(ways === 'in' || isOfTwo ? [] : nodesAt(subject, index));
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
