import type { FindingMemory } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { restMs } from './recovering.js';

/** What the text of a dead node ends with. */
export const silentWords = ', and nothing has been heard from it since';
const heardWords = ', but it is heard again';

/** A finding whose node was silent and is heard again, and since when. */
export interface HeardAgain {
  readonly finding: Finding;
  readonly heardAgainMs: number;
}

/**
 * A dead node that is heard again mostly comes back, and its paths were not probed since. So its finding keeps its
 * kind for as long as what is left of a closing finding is no new one. Undefined if this is not so.
 * @param finding what is seen now, of the same id
 * @param now monotonic, in milliseconds
 */
export function heardAgain(
  before: FindingMemory,
  finding: Finding,
  now: number,
): HeardAgain | undefined {
  const former = before.finding;
  if (former?.kind !== 'node-down' || finding.kind !== 'node-isolated') return undefined;
  const { heardAgainMs = now } = before;
  if (now - heardAgainMs >= restMs) return undefined;
  const { explains } = finding;
  const text = former.text.replace(silentWords, heardWords);
  return { finding: { ...former, explains, text }, heardAgainMs };
}
