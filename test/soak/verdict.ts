import type { Figure, FigureName, Sample } from './figures.js';
import { byLife, commonSlope, slopeOfOne, type Point, type Slope } from './slope.js';

/** What became of one figure over the run. */
export interface Judgement {
  /** Undefined if there were too few samples. */
  readonly slope: Slope | undefined;
  /** What grows, in words; undefined if nothing does. */
  readonly grows: string | undefined;
  /** It should have a slope and has none, so nothing is known of it. */
  readonly isMissing: boolean;
}

const hourMs = 3_600_000;
/** Heaps still grow for some minutes, as code is compiled and histories fill. */
const [shortestWarmUpMs, longestWarmUpMs] = [5 * 60_000, 15 * 60_000];
/** One agent of many varies more than all together. */
const singleFactor = 2;

/** How long each process is left out of the slopes: a quarter of the run, 5 to 15 minutes. */
export function warmUpOf(runMs: number): number {
  return Math.min(Math.max(runMs / 4, shortestWarmUpMs), longestWarmUpMs);
}

/**
 * Whether a figure grows. It does where its slope is greater than its error, and where that slope
 * over the time of the samples comes to more than the figure may grow by: of all agents together,
 * or of one agent to twice as much. A figure that falls leaks nothing. One that was not measured, though the
 * agents were seen for long enough, is missing.
 */
export function judge(
  name: FigureName,
  { whileCalm, mayGrowBy }: Figure,
  samples: readonly Sample[],
  warmUpMs: number,
): Judgement {
  const points = pointsOf(name, whileCalm, samples, warmUpMs);
  const slope = commonSlope(points);
  if (mayGrowBy === undefined) return { slope, grows: undefined, isMissing: false };
  // A run that was long enough for any slope was long enough for this one.
  const isMissing = !slope && commonSlope(timesOf(whileCalm, samples, warmUpMs)) !== undefined;
  if (slope && exceeds(slope, mayGrowBy)) return { slope, grows: 'all agents', isMissing };
  const leaking = [...byLife(points)].filter(([, life]) => {
    const own = slopeOfOne(life);
    return own && exceeds(own, singleFactor * mayGrowBy);
  });
  const names = leaking.map(([life]) => life).join(', ');
  return { slope, grows: names === '' ? undefined : names, isMissing };
}

/** When a figure should have been measured, as points without a value. */
function timesOf(whileCalm: boolean, samples: readonly Sample[], warmUpMs: number): Point[] {
  const all = samples.map((sample) => ({ ...sample, values: { findings: 0 } }));
  return pointsOf('findings', whileCalm, all, warmUpMs);
}

/** The samples of a figure after the warm-up of their process. */
function pointsOf(
  name: FigureName,
  whileCalm: boolean,
  samples: readonly Sample[],
  warmUpMs: number,
): Point[] {
  return samples.flatMap(({ ms, host, pid, ageMs, isCalm, values }) => {
    const value = values[name];
    const isWanted = ageMs >= warmUpMs && (isCalm || !whileCalm);
    if (value === undefined || !isWanted) return [];
    return [{ life: `${host} (pid ${pid})`, hours: ms / hourMs, value }];
  });
}

function exceeds({ perHour, error, hours }: Slope, mayGrowBy: number): boolean {
  return perHour > error && perHour * hours > mayGrowBy;
}
