import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/finding.js';
import { chanceReason } from './chance.js';
import { layoutOf } from './scenarios/random-layout.js';

const layout = layoutOf(4, 1, () => 0);
const pair = { kind: 'pair', pair: ['c/n2', 'c/n4'] } as unknown as Finding;

function reasonFor(wrongReports: readonly (readonly [string, number])[], findings = [pair]) {
  return chanceReason({ layout, wrongReports: new Map(wrongReports) }, [], findings);
}

describe('a pair that is found without a fault', () => {
  it('is chance where both ends reported each other wrongly on the same channels', () => {
    expect(
      reasonFor([
        ['1,3', 0b1111],
        ['3,1', 0b1111],
      ]),
    ).toMatch(/two wrong reports/);
  });

  it('is an error where one end alone did, or both on channels of no fault', () => {
    expect(reasonFor([['1,3', 0b1111]])).toBeUndefined();
    expect(
      reasonFor([
        ['1,3', 0b0001],
        ['3,1', 0b0001],
      ]),
    ).toBeUndefined();
  });

  it('is an error where something else is found beside it', () => {
    const other = { kind: 'node-down', node: 'c/n1' } as unknown as Finding;
    expect(
      reasonFor(
        [
          ['1,3', 0b1111],
          ['3,1', 0b1111],
        ],
        [pair, other],
      ),
    ).toBeUndefined();
  });
});
