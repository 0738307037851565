import { expect, test } from 'vitest';
import { isSure } from '../../../../../agent/diagnosis/life/opening.js';
import { explainedIn } from '../explained.js';
import { numberOf, type PathOf } from '../cluster.js';
import { failing } from '../paths.js';

const zones = Array.from({ length: 30 }, (_, at) => 'abc'[at % 3] ?? '');
const zoneOf = (node: string) => zones[numberOf(node) - 1];

/** Whether it is sure that one zone cannot reach the last one, where these zones do not. */
function isCutSure(...cut: readonly string[]): boolean | undefined {
  const says = failing(({ from, to }: PathOf) => {
    const [here = '', there] = [zoneOf(from), zoneOf(to)];
    return there === 'c' && cut.includes(here);
  });
  const { explained, tally } = explainedIn(30, { zones, says });
  const [cause] = explained.causes;
  expect(explained.causes).toMatchObject([{ subject: { type: 'zones' } }]);
  if (!cause) return undefined;
  const [group = -1, other] = ['b', 'c'].map((name) => tally.index.zoneNumberOf.get(name));
  const subject = { type: 'zones', group, other } as const;
  const seen = { failing: 10, of: 10, reporting: 10 };
  return isSure({ ...cause, subject, ways: 'in' }, explained, seen, 0);
}

test('that one zone cannot reach another one is not sure while no other zone is told to reach that', () => {
  expect(isCutSure('b')).toBe(true);
  expect(isCutSure('a', 'b')).toBe(false);
});
