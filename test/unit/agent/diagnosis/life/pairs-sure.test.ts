import { expect, test } from 'vitest';
import { isSure } from '../../../../../agent/diagnosis/life/opening.js';
import { n } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { failing, isBetween } from '../paths.js';

/** Whether each pair of a cluster of forty is sure, where these fail. */
function areSure(...pairs: readonly (readonly [number, number])[]): boolean[] {
  const fails = pairs.map(([one, other]) => isBetween(n(one), n(other)));
  const says = failing((path) => fails.some((is) => is(path)));
  const { explained } = explainedIn(40, { says });
  expect(explained.causes.map(({ subject }) => subject.type)).toEqual(pairs.map(() => 'pair'));
  const seen = { failing: 2, of: 2, reporting: 2 };
  return explained.causes.map((cause) => isSure(cause, explained, seen, 0));
}

test('pairs are sure, but not two of one node: they may be parts of more', () => {
  expect(areSure([2, 3])).toEqual([true]);
  expect(areSure([2, 3], [4, 5])).toEqual([true, true]);
  expect(areSure([2, 3], [4, 2])).toEqual([false, false]);
});
