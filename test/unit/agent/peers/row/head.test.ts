import { describe, expect, test } from 'vitest';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { readFields, sentRow, travelled, wellRow } from '../../exchange/lib/rows.js';

const refutation = { afterMs: 2000, forMs: 3000, perSecond: 150 };
const row = { ...wellRow('c/a'), refutation };
const read = (told: unknown) => readFields({ refutation: told });

describe('how an agent refutes that its node is dead', () => {
  test('comes through a message as it was; older agents do not tell', () => {
    expect(sentRow({ refutation })['refutation']).toEqual([2000, 3000, 150]);
    expect(travelled(row)?.refutation).toEqual(refutation);
    expect(travelled(wellRow())?.refutation).toBeUndefined();
  });

  test('of a newer agent is read as far as it is known here', () => {
    expect(read([2000, 3000, 150, 'more'])?.refutation).toEqual(refutation);
  });

  test.each([
    [[]],
    [[2000, 3000]],
    [[-1, 3000, 150]],
    [[2000, 3000, 10_001]],
    [[2000, 1e11, 150]],
    [[2000, 0.5, 150]],
    [['2000', 3000, 150]],
    ['2000'],
    [null],
    [{ afterMs: 2000 }],
  ])('is refused where it is malformed: %j', (told) => {
    expect(read(told)).toBeUndefined();
  });

  test('is told anew when it changes', () => {
    expect(tellsTheSame(row, { ...row, refutation: { ...refutation } })).toBe(true);
    expect(tellsTheSame(row, { ...row, refutation: { ...refutation, perSecond: 9 } })).toBe(false);
    expect(tellsTheSame(row, wellRow('c/a'))).toBe(false);
  });
});
