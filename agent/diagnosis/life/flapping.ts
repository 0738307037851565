import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import type { FindingMemory } from '../nouns/memory.js';

/** Openings within this time count as one series. */
export const flapWindowMs = 10 * 60_000;
/** With this many openings the finding is flapping. */
const flapOpenings = 3;

/** Whether a finding comes and goes, by when it opened. */
export function isFlapping(openedMs: readonly number[]): boolean {
  return openedMs.length >= flapOpenings;
}

/** A finding with the time of its opening, and with how often it came if it is flapping. */
export function shownFinding(
  finding: Finding,
  sinceMs: number,
  openedMs: readonly number[],
  input: DiagnosisInput,
): Finding {
  const since = isoTime(input, sinceMs);
  if (!isFlapping(openedMs)) return { ...finding, since };
  const minutes = minutesUntil(input.now, sinceMs);
  const span = minutes === 1 ? 'minute' : `${minutes} minutes`;
  const text = `${finding.text}; it has come and gone ${openedMs.length} times in the last ${span}`;
  return { ...finding, since, text };
}

/**
 * A flapping finding that is not seen at the moment, though it may come again. Its text begins with
 * the time, because the sentence that follows is not true now.
 */
export function goneFinding(
  { lastSeenMs, sinceMs, openedMs, sentence }: FindingMemory,
  finding: Finding,
  input: DiagnosisInput,
): Finding {
  const time = isoTime(input, lastSeenMs).slice(11, 16);
  const minutes = minutesUntil(lastSeenMs, sinceMs);
  const span = minutes === 1 ? 'one minute' : `${minutes} minutes`;
  const text = `until ${time} UTC, ${openedMs.length} times in ${span}: ${sentence}`;
  return { ...finding, text };
}

function minutesUntil(endMs: number, sinceMs: number): number {
  return Math.max(1, Math.round((endMs - sinceMs) / 60_000));
}
