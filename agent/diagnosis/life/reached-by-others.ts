import { countsAt } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';
import type { Cause } from '../nouns/cause.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';

/** The least share is kept for so long: what was reached for a while only, or was not known, does not count for ever. */
const workingKeptMs = 30_000;

/** Nobody reaches it all the while. */
export const noneWorks: PastCause['working'] = { share: 0, sinceMs: 0 };

/**
 * Which share of the paths of a cause at a node works all the while, of those that were probed since it began: others may reach it. The
 * least one counts, as more and more see a trouble that has begun, and fewer and fewer one that was repaired.
 */
export function workingOf(
  { subject, channels, ways }: Cause,
  former: PastCause | undefined,
  { now }: DiagnosisInput,
  tally: Tally,
): PastCause['working'] {
  if (subject.type !== 'node') return noneWorks;
  const { bad, well } = countsAt(tally, subject.node, channels, ways);
  const share = well === 0 ? 0 : well / (bad + well);
  const isKept = former !== undefined && now - former.working.sinceMs < workingKeptMs;
  return isKept && former.working.share <= share ? former.working : { share, sinceMs: now };
}
