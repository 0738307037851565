import { describe, expect, it } from 'vitest';
import { probedShare } from '../../../../../agent/diagnosis/evidence/time-model.js';
import { fitEnd, type RowOfCause } from '../../../../../agent/diagnosis/life/fit-end.js';

const time = { sweepS: 50, hintedS: 8, recoveredS: 8, confirmS: 0 };

/** Rows that tell that a node fails or works, each confirmed so many seconds ago. */
function rowsOf(fails: readonly number[], works: readonly number[]): RowOfCause[] {
  return [
    ...fails.map((confirmedS) => ({ confirmedS, works: 0, fails: 1, most: Infinity, paths: 1 })),
    ...works.map((confirmedS) => ({ confirmedS, works: 1, fails: 0, most: Infinity, paths: 1 })),
  ];
}

describe('the end of a cause', () => {
  it('is not looked for where all rows tell that it goes on', () => {
    expect(fitEnd(rowsOf([1, 5, 20], []), 60, time)).toBeUndefined();
  });

  it('is not told by rows from before it began', () => {
    expect(fitEnd(rowsOf([1, 5], [70, 80]), 60, time)).toBeUndefined();
  });

  it('is just before the first row that tells that it works', () => {
    const end = fitEnd(rowsOf([10, 20, 30, 40], [1, 3, 6]), 100, time);
    expect(end?.endedS).toBe(6);
    expect(end?.gain).toBeCloseTo(3 * 3.5);
  });

  it('gains nothing where rows go on to tell that it fails', () => {
    const all = Array.from({ length: 20 }, (_, at) => 2 * at);
    const some = [30, 21, 11];
    expect(fitEnd(rowsOf(all, some), 100, time)?.gain).toBeLessThan(6);
  });

  it('is not told by what works of a cause while its paths are probed one after the other', () => {
    const rows: RowOfCause[] = [];
    // It began 12 s ago, and each of many rows tells what was probed of it by then.
    for (let at = 0; at < 400; at++) {
      const confirmedS = at / 50;
      const probed = probedShare(12, confirmedS, time) * (at % 2 === 0 ? 0.7 : 1.1);
      rows.push({
        confirmedS,
        works: Math.max(1 - probed, 0),
        fails: Math.min(probed, 1),
        most: Infinity,
        paths: 1,
      });
    }
    expect(fitEnd(rows, 12, time)?.gain ?? 0).toBeLessThan(6);
  });

  it('is not told by what works of one that has just begun, while as many fail as were probed since', () => {
    const isNew = { sweepS: 5, hintedS: 5, recoveredS: 5, confirmS: 0 };
    const works = Array.from({ length: 44 }, () => 0.4);
    // A row is written when something fails, so what it says is older than what others confirm.
    const failing = (count: number) => Array.from({ length: count }, () => 1);
    expect(fitEnd(rowsOf(failing(15), works), 3.1, isNew)?.gain).toBe(0);
    expect(fitEnd(rowsOf(failing(3), works), 3.1, isNew)?.gain).toBeGreaterThan(6);
  });

  it('is told of an old one whatever rows said when it began', () => {
    const half = Array.from({ length: 400 }, (_, at) => 95 - at / 80);
    const end = fitEnd(rowsOf([3, 4, 5], [...half, 1, 1.5, 2]), 97, time);
    expect(end?.gain).toBeGreaterThan(6);
  });

  it('is told by such rows once their paths work again one after the other', () => {
    const rows: RowOfCause[] = [];
    for (let at = 0; at < 400; at++) {
      const confirmedS = at / 50;
      const works = Math.max(1 - confirmedS / 7, 0);
      rows.push({ confirmedS, works, fails: 1 - works, most: Infinity, paths: 1 });
    }
    const end = fitEnd(rows, 100, time);
    expect(end?.gain).toBeGreaterThan(6);
    expect(end?.endedS).toBeGreaterThan(4);
  });

  describe('of which all paths failed', () => {
    // Hints bring looks at half of a large cluster within minutes.
    const large = { sweepS: 250, hintedS: 160, recoveredS: 160, confirmS: 0 };
    const all = { share: 1, sinceS: 60 };
    /** Rows of which such a share works again, each confirmed a tenth of a second after the other. */
    const shares = (...works: readonly number[]): RowOfCause[] =>
      works.map((share, at) => ({
        confirmedS: at / 10,
        works: share,
        fails: 1 - share,
        most: Infinity,
        paths: 130,
      }));
    const gain = (rows: readonly RowOfCause[], failed = all): number =>
      fitEnd(rows, 97, large, failed)?.gain ?? 0;
    const none = Array.from({ length: 40 }, () => 0);

    it('is told by the first rows in which some of them work again', () => {
      const rows = shares(0.65, 0.06, 0.06, 0.13, 0.05, 0.04, 0.03, ...none);
      expect(gain(rows)).toBeGreaterThan(6);
      expect(gain(rows, { share: 0, sinceS: 0 })).toBeLessThan(1);
    });

    it('is not told by one row alone, nor by as few that work again in all of them', () => {
      expect(gain(shares(0.65, ...none))).toBeLessThan(4.6);
      expect(gain(shares(0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, ...none))).toBeLessThan(1);
    });

    it('is looked for since then, however many rows are from before', () => {
      const before = Array.from({ length: 1700 }, (_, at) => 62 + at / 50);
      const fails = Array.from({ length: 170 }, (_, at) => at / 34);
      const end = fitEnd(rowsOf(fails, [...before, 1, 2]), 97, large, all);
      expect(end?.gain).toBeGreaterThan(6);
      expect(end?.endedS).toBe(2);
    });

    it('is not told while more and more of them fail', () => {
      const rows = shares(0.8, 0.85, 0.82, 0.81, 0.84, 0.86, 0.83, ...none.map(() => 0.9));
      expect(fitEnd(rows, 14, large, { share: 0.2, sinceS: 9 })?.gain).toBeLessThan(1);
    });
  });
});
