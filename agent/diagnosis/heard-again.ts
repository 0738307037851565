import { pathKinds } from './kinds/kinds.js';
import type { FindingMemory } from './nouns/memory.js';
import type { Finding } from './nouns/finding.js';
import { restMs } from './recovering.js';

/** A finding whose node was silent and is heard again, and since when. */
export interface HeardAgain {
  readonly finding: Finding;
  readonly heardAgainMs: number;
}

/**
 * A dead node or agent that is heard again mostly comes back, and its paths were not probed since. So its finding keeps its
 * kind for as long as what is left of a closing finding is no new one. Undefined if this is not so, or if the finding has
 * stood for less than that.
 * @param finding what is seen now, of the same id
 * @param now monotonic, in milliseconds
 */
export function heardAgain(
  before: FindingMemory,
  finding: Finding,
  now: number,
): HeardAgain | undefined {
  const former = before.finding;
  const heard = pathKinds.find(({ kind }) => kind === former?.kind)?.heard;
  if (!former || heard?.as !== finding.kind) return undefined;
  const { heardAgainMs = now } = before;
  if (now - heardAgainMs >= restMs) return undefined;
  // What has just begun to be told was told too early: the node was not heard by chance.
  if (heardAgainMs - (before.openedMs.at(-1) ?? now) < restMs) return undefined;
  const { explains } = finding;
  const isTold = before.heardAgainMs !== undefined;
  const text = isTold ? former.text : heard.text(former.text);
  return { finding: { ...former, explains, text }, heardAgainMs };
}
