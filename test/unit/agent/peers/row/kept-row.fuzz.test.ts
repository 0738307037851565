import { expect, test } from 'vitest';
import { encodeRow } from '../../../../../agent/peers/row/row-text.js';
import { Random } from '../../../../fuzz/random.js';
import { fuzzScale } from '../../../../fuzz/scale.js';
import { decodeRow, randomRow } from '../../exchange/lib/rows.js';
import { wireRowSchema } from '../../exchange/lib/wire-schema.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `c/nnnn${i}`);

test('the validator accepts a row if and only if the schema accepts it', () => {
  const random = new Random(5);
  const turns = fuzzScale(500);
  let accepted = 0;
  for (let turn = 0; turn < turns; turn++) {
    const value = JSON.parse(encodeRow(randomRow(random, names(random.below(4))))) as unknown;
    if (turn % 10 > 0) changeSomething(value, random);
    const isAccepted = decodeRow('c/a', value) !== undefined;
    expect({ value, isAccepted }).toEqual({
      value,
      isAccepted: wireRowSchema.safeParse(value).success,
    });
    if (isAccepted) accepted++;
  }
  expect(accepted).toBeGreaterThan(turns / 10);
  expect(accepted).toBeLessThan(turns * 0.875);
});

const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  5,
  1e300,
  NaN,
  '',
  'icmp',
  'a/b',
  '\u0000',
  [],
  {},
  [[]],
  [0, 0, 0, 0],
];

/** Replaces, removes or duplicates one item somewhere in a JSON value. */
function changeSomething(value: unknown, random: Random): void {
  let at = value as Record<string, unknown> | unknown[];
  for (;;) {
    const keys = Object.keys(at);
    const key = random.pick(keys.length > 0 ? keys : ['x']);
    const next = (at as Record<string, unknown>)[key];
    const isDeep = typeof next === 'object' && next !== null && Object.keys(next).length > 0;
    if (isDeep && random.below(4) > 0) {
      at = next as Record<string, unknown>;
      continue;
    }
    const action = random.below(3);
    if (action === 0) (at as Record<string, unknown>)[key] = random.pick(oddValues);
    else if (Array.isArray(at)) at.splice(Number(key) || 0, action === 1 ? 1 : 0, next);
    else if (action === 1) Reflect.deleteProperty(at, key);
    return;
  }
}
