import { describe, expect, test } from 'vitest';
import { keepRow } from '../../../../../agent/peers/row/kept-row.js';
import { encodeRow, tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { wellRow } from '../../exchange/lib/rows.js';

const refutation = { afterMs: 2000, forMs: 3000, perSecond: 150 };
const row = { ...wellRow('c/a'), refutation };
const sent = JSON.parse(encodeRow(row)) as Record<string, unknown>;
const read = (told: unknown) => keepRow('c/a', { ...sent, refutation: told });

describe('how an agent refutes that its node is dead', () => {
  test('comes through a message as it was; older agents do not tell', () => {
    expect(sent['refutation']).toEqual([2000, 3000, 150]);
    expect(keepRow('c/a', sent)?.refutation).toEqual(refutation);
    expect(keepRow('c/a', JSON.parse(encodeRow(wellRow('c/a'))))?.refutation).toBeUndefined();
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
