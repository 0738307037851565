import type { Cause } from '../nouns/cause.js';
import { paced } from '../nouns/steps.js';
import type { Explanation } from './explanation.js';

/** The work between two yields, in entries: some milliseconds the first time, before the code is compiled. */
export const slice = 500;

/** What is tried: returns the best cause there, if there is one. */
export type Candidate = () => Cause | undefined;

interface Scored {
  readonly find: Candidate;
  readonly cause: Cause;
}

/** Takes the candidate with the largest gain until none has any. Gains only shrink, so one that is the best after a new look is the best. */
export function* takeBest(
  explanation: Explanation,
  candidates: readonly Candidate[],
): Generator<void> {
  const scored: Scored[] = [];
  const isEnough = paced(slice);
  for (const find of candidates) {
    const cause = find();
    if (cause) scored.push({ find, cause });
    if (isEnough(20 + (cause?.paths ?? 0))) yield;
  }
  scored.sort((a, b) => a.cause.gain - b.cause.gain);
  for (let last = scored.pop(); last; last = scored.pop()) {
    const { find } = last;
    const cause = find();
    if (isEnough(20 + 4 * (cause?.paths ?? 0))) yield;
    if (!cause) continue;
    if (cause.gain < (scored.at(-1)?.cause.gain ?? 0)) {
      insert(scored, { find, cause });
      continue;
    }
    explanation.add(cause);
    const again = find();
    if (again) insert(scored, { find, cause: again });
  }
}

/** Puts one in its place, the best last. */
function insert(scored: Scored[], one: Scored): void {
  const before = scored.findLastIndex(({ cause }) => cause.gain < one.cause.gain);
  scored.splice(before + 1, 0, one);
}
