import { expect, test } from 'vitest';
import { isSure } from '../../../../../agent/diagnosis/life/opening.js';
import { explainedIn } from '../explained.js';
import { namesOf, numberOf, rowsOf, type PathOf } from '../cluster.js';
import { failing } from '../paths.js';

const threeZones = Array.from({ length: 30 }, (_, at) => 'abc'[at % 3] ?? '');
const zoneOf = (node: string) => threeZones[numberOf(node) - 1];

/** Whether it is sure that zone b cannot reach zone c, where these directions fail. */
function isCutSure(...cut: readonly string[]): boolean | undefined {
  const says = failing(({ from, to }: PathOf) => cut.includes(`${zoneOf(from)}>${zoneOf(to)}`));
  const { explained, tally } = explainedIn(30, { zones: threeZones, says });
  const [cause] = explained.causes;
  expect(explained.causes).toMatchObject([{ subject: { type: 'zones' } }]);
  if (!cause) return undefined;
  const [group = -1, other] = ['b', 'c'].map((name) => tally.index.zoneNumberOf.get(name));
  const subject = { type: 'zones', group, other } as const;
  const seen = { failing: 10, of: 10, reporting: 10 };
  return isSure({ ...cause, subject, ways: 'in' }, explained, seen, 0);
}

test('that one zone cannot reach another one is not sure while nothing else of that direction is told to work', () => {
  expect(isCutSure('b>c')).toBe(true);
  expect(isCutSure('b>c', 'a>c')).toBe(false);
  expect(isCutSure('b>c', 'b>a')).toBe(false);
});

/** Whether it is sure that nobody reaches zone c, where these directions have failed for three seconds and the rows of zone a are so old. */
function isZoneSure(rowsOfAMs: number, cut: readonly string[], zones = threeZones): boolean {
  const zoneOf = (node: string) => zones[numberOf(node) - 1];
  const fails = ({ from, to }: PathOf) => cut.includes(`${zoneOf(from)}>${zoneOf(to)}`);
  const rows = rowsOf(namesOf(30), (name) => {
    const ageMs = zoneOf(name) === 'a' ? rowsOfAMs : 0;
    return { ageMs, bodyAgeMs: ageMs };
  });
  const without = namesOf(30).filter((name) => zoneOf(name) === 'c');
  const says = failing(fails, { ageSeconds: 3 });
  const { explained, tally } = explainedIn(30, { zones, rows, without, says });
  const [cause] = explained.causes;
  if (!cause) return false;
  const subject = {
    type: 'zones',
    group: tally.index.zoneNumberOf.get('c') ?? -1,
    other: undefined,
  } as const;
  const seen = { failing: 20, of: 20, reporting: 20 };
  return isSure({ ...cause, subject, ways: 'in' }, explained, seen, 0);
}

test('that nobody reaches a zone is not sure while the rows of another one are of before', () => {
  expect(isZoneSure(0, ['a>c', 'b>c'])).toBe(true);
  expect(isZoneSure(6000, ['b>c'])).toBe(false);
});

test('that nobody reaches a zone is sure though the row of the only node of another one is of before', () => {
  const zones = threeZones.map((_, at) => (at === 0 ? 'a' : at < 22 ? 'b' : 'c'));
  expect(isZoneSure(6000, ['b>c'], zones)).toBe(true);
});
