import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import type { FindingMemory, Opening } from '../nouns/memory.js';

/** Openings within this time count as one series. */
export const flapWindowMs = 10 * 60_000;
/** With this many openings the finding is flapping. */
const flapOpenings = 3;

/** Whether a finding comes and goes. */
export function isFlapping(openings: readonly Opening[]): boolean {
  return timesOpened(openings) >= flapOpenings;
}

/** How often it opened as the last time. What failed in another direction was another fault. */
function timesOpened(openings: readonly Opening[]): number {
  const last = openings.at(-1);
  return openings.filter(({ direction }) => direction === last?.direction).length;
}

/** A finding with the time of its opening, and with how often it came if it is flapping. */
export function shownFinding(
  finding: Finding,
  sinceMs: number,
  openings: readonly Opening[],
  input: DiagnosisInput,
): Finding {
  const since = isoTime(input, sinceMs);
  if (!isFlapping(openings)) return { ...finding, since };
  const minutes = minutesUntil(input.now, sinceMs);
  const span = minutes === 1 ? 'minute' : `${minutes} minutes`;
  const text = `${finding.text}; it has come and gone ${timesOpened(openings)} times in the last ${span}`;
  return { ...finding, since, text };
}

/** A flapping finding that is not seen now, though it may come again. Its text begins with the time, as what follows is not true now. */
export function goneFinding(
  { lastSeenMs, sinceMs, openings, sentence }: FindingMemory,
  finding: Finding,
  input: DiagnosisInput,
): Finding {
  const time = isoTime(input, lastSeenMs).slice(11, 16);
  const minutes = minutesUntil(lastSeenMs, sinceMs);
  const span = minutes === 1 ? 'one minute' : `${minutes} minutes`;
  const text = `until ${time} UTC, ${timesOpened(openings)} times in ${span}: ${sentence}`;
  return { ...finding, text };
}

function minutesUntil(endMs: number, sinceMs: number): number {
  return Math.max(1, Math.round((endMs - sinceMs) / 60_000));
}

/** The age of a path differs by that much from run to run: rows round it, and clocks are read at different moments. */
export const jitterMs = 2000;

/** An open finding with the times that the last run told it with, but for paths of its evidence that began to fail anew. */
export function withFixedTimes(finding: Finding, former: Finding): Finding {
  const { evidence, looks } = finding;
  return {
    ...finding,
    since: former.since,
    evidence: withTimes(evidence, former.evidence),
    ...(looks && { looks: withTimes(looks, former.looks ?? []) }),
  };
}

function withTimes<T extends { readonly since: string }>(now: readonly T[], before: readonly T[]) {
  const keyOf = (one: T) => JSON.stringify({ ...one, since: '' });
  const times = new Map(before.map((one) => [keyOf(one), one.since]));
  return now.map((one) => ({ ...one, since: steadyTime(one.since, times.get(keyOf(one))) }));
}

/** A time as it was told before, where the difference is none that was measured. */
export function steadyTime(time: string, before: string | undefined): string {
  if (before === undefined) return time;
  return Math.abs(Date.parse(time) - Date.parse(before)) > jitterMs ? time : before;
}
