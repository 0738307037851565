import { observerAt } from '../evidence/observations.js';
import { timesOf } from '../evidence/paths-of.js';
import { allProbedS, type ProbeTime } from '../evidence/time-model.js';
import { isAnswered } from '../evidence/unanswered.js';
import { singleWays } from '../nouns/cause.js';
import { channelsIn, icmpMask } from '../nouns/channel-mask.js';
import type { PastCause } from '../nouns/memory.js';
import type { Subject } from '../nouns/subject.js';
import { fitEnd, type RowOfCause } from './fit-end.js';
import { mostFailing, newlyFailing, newRowS } from './most-failing.js';
import { rowsOf, type Run } from './rows-of-cause.js';

/** A cause has ended if so much less contradicts it then, in natural logarithms of odds. */
const leastGain = 4.6;
/** What one row tells of all paths to a node is less than this, as it may be wrong. */
const leastGainOfNode = 6;
/** A pair has no more than two witnesses, and what a node sends has one: the node. */
const leastGainOfFew = 3;
/** While a cause spreads, some of its paths still work. One channel alone tells of its end once all paths were probed so often. */
const settledTimes = 2;
/** Of more causes than this, which may be thousands, only those that GETs alone see are asked how much of them failed lately: echoes go round sooner. */
const mostAsked = 16;

/** A cause of which it is asked whether it has ended. */
interface Asked {
  readonly past: PastCause;
  readonly subject: Subject;
  readonly run: Run;
}

/** When a cause ended, as rows tell, in monotonic milliseconds: undefined if it goes on. And what is remembered of how much of it fails. */
export function endOf(
  past: PastCause,
  subject: Subject,
  run: Run,
): Pick<PastCause, 'endedMs' | 'failing'> {
  const { channels, ways, failing } = past;
  const { now } = run.input;
  const beganS = (now - past.beganMs) / 1000;
  const asked = { past, subject, run };
  if (subject.type === 'node') {
    const isContradicted = mayHaveEnded(past, subject, run);
    const endedMs = isContradicted ? endAtNode(subject.node, beganS, asked) : undefined;
    if (ways !== 'in') return { endedMs, failing };
    const { previous } = run.input;
    const isAsked = (channels & icmpMask) === 0 || (previous?.past.length ?? 0) <= mostAsked;
    if (isContradicted && !isAsked) return { endedMs, failing };
    const share = isContradicted
      ? newlyFailing(rowsOf(past, subject, run, newRowS))
      : shareIfNoneWorks(asked, beganS);
    return { endedMs, failing: mostFailing(share, failing, now) };
  }
  const rows = rowsOf(past, subject, run);
  const endedMs = endOn(channels, beganS, rows, asked);
  // A pair has one row or two: each tells of it until its next one comes.
  const share = newlyFailing(rows, subject.type === 'pair' ? Infinity : newRowS);
  return { endedMs, failing: mostFailing(share, failing, now) };
}

function endAtNode(node: number, beganS: number, asked: Asked): number | undefined {
  const { past, subject, run } = asked;
  const { input, tally } = run;
  const { ways, channels } = past;
  const own = observerAt(tally.observations, node);
  if (own && past.isUnanswered && isAnswered(own, channels)) return input.now - 1000 * own.ageS;
  const on = (mask: number, onceS: number) =>
    endOn(mask, onceS, rowsOf({ ...past, channels: mask }, subject, run), asked);
  const whole = on(channels, beganS);
  if (whole !== undefined || ways === 'out') return whole;
  // Some channels of a node may fail on for another cause. To ask that of zones would take long.
  const time = slowestOf(channels, timesOf(subject, ways, channels, beganS, tally));
  const settledS = settledTimes * allProbedS(time);
  const ends = channelsIn(channels).flatMap((channel) => {
    const begins = singleWays[ways].map((way) => tally.beganS(node, channel, way));
    const onceS = Math.min(beganS, ...begins);
    return onceS < settledS ? [] : (on(1 << channel, onceS) ?? []);
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/**
 * When a cause ended, in monotonic milliseconds, as its paths on some channels tell; undefined if it goes on there.
 * @param beganS when these paths began to fail, in seconds ago
 */
function endOn(
  channels: number,
  beganS: number,
  rows: readonly RowOfCause[],
  { past, subject, run }: Asked,
): number | undefined {
  const { ways, failing } = past;
  const { now } = run.input;
  const time = slowestOf(channels, timesOf(subject, ways, channels, beganS, run.tally));
  const failed = { share: failing.share, sinceS: (now - failing.sinceMs) / 1000 };
  const end = fitEnd(rows, beganS, time, failed);
  const { type } = subject;
  const hasFewWitnesses = type === 'pair' || (type === 'node' && ways === 'out');
  const least = hasFewWitnesses ? leastGainOfFew : type === 'node' ? leastGainOfNode : leastGain;
  return !end || end.gain < least ? undefined : now - 1000 * end.endedS;
}

/** Which share of the paths of a cause fails, where none is known to work: all of them, once new rows are of after all were probed. */
function shareIfNoneWorks(
  { past: { channels, ways }, subject, run }: Asked,
  beganS: number,
): number | undefined {
  const times = timesOf(subject, ways, channels, beganS, run.tally);
  return beganS > allProbedS(slowestOf(channels, times)) + newRowS ? 1 : undefined;
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
