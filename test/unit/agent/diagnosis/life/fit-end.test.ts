import { describe, expect, it } from 'vitest';
import { fitEnd, RowsOfCause } from '../../../../../agent/diagnosis/life/fit-end.js';

const time = { sweepS: 50, hintedS: 8 };

/** Rows that tell that a node fails or works, each confirmed so many seconds ago. */
function rowsOf(fails: readonly number[], works: readonly number[]): RowsOfCause {
  const rows = new RowsOfCause();
  for (const confirmedS of fails) rows.add(confirmedS, 0, 1);
  for (const confirmedS of works) rows.add(confirmedS, 1, 0);
  return rows;
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

  it('takes more rows than there was room for at first', () => {
    const many = Array.from({ length: 200 }, (_, at) => 10 + at / 10);
    expect(fitEnd(rowsOf(many, [1, 2]), 100, time)?.endedS).toBe(2);
  });
});
