import type { DiagnosisOutput } from '../nouns/diagnosis-input.js';
import type { StrayReports } from '../nouns/memory.js';

/** What was so longer ago says little of how often reports are wrong today. */
const rememberedMs = 600_000;
/** At the start it counts as if a wrong report had stood for so long: nothing is known yet. */
const assumedMs = 10_000;
/** Of a longer time between two runs, as after a suspension, only so much counts. */
const longestGapMs = 10_000;

/** Notes whether paths failed without a finding since the last run. */
export function noteStrayReports(
  previous: Pick<DiagnosisOutput, 'stray' | 'unexplained'> | undefined,
  nowMs: number,
): StrayReports {
  if (!previous) return { atMs: nowMs, strayMs: 0, watchedMs: 0 };
  const { stray, unexplained } = previous;
  const ms = Math.min(Math.max(nowMs - stray.atMs, 0), longestGapMs);
  const kept = Math.exp(-ms / rememberedMs);
  return {
    atMs: nowMs,
    strayMs: kept * stray.strayMs + (unexplained > 0 ? ms : 0),
    watchedMs: kept * stray.watchedMs + ms,
  };
}

/** In which share of the time some path fails without a finding, from above 0 to 1. Where that is rare, one that does is less likely wrong. */
export function strayShare({ strayMs, watchedMs }: StrayReports): number {
  return (strayMs + assumedMs) / (watchedMs + assumedMs);
}
