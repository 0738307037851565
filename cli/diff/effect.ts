/** Whether a change is one for the worse or the better; `other` where neither can be said. */
export type Effect = 'worse' | 'better' | 'other';

/**
 * How well a path works. What is not known is neither good nor bad, but to lose the knowledge of what
 * worked is one for the worse.
 */
export type Condition = 'works' | 'impaired' | 'fails' | 'not known' | 'not judged';

const badness = { works: 0, impaired: 1, fails: 2 } as const;
type Known = keyof typeof badness;

/** What it means that something was in one condition and is in another, or that counts of what is bad have changed. */
export function effectOf(
  before: Condition | readonly number[],
  after: Condition | readonly number[],
): Effect {
  if (typeof before === 'string' && typeof after === 'string') return effectOnPath(before, after);
  if (typeof before === 'string' || typeof after === 'string') return 'other';
  if (after.some((count, index) => count > (before[index] ?? 0))) return 'worse';
  return after.some((count, index) => count < (before[index] ?? 0)) ? 'better' : 'other';
}

function effectOnPath(before: Condition, after: Condition): Effect {
  if (before === 'not judged' || after === 'not judged' || before === after) return 'other';
  if (before === 'not known') {
    return ({ works: 'better', impaired: 'other', fails: 'worse' } as const)[after as Known];
  }
  if (after === 'not known') return before === 'fails' ? 'other' : 'worse';
  return badness[after] > badness[before] ? 'worse' : 'better';
}
