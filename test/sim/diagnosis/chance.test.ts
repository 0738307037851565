import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { chanceReason } from './chance.js';
import type { Fault } from '../../faults/fault.js';
import { layoutOf } from './scenarios/random-layout.js';
import type { Report } from './visible.js';

const layout = layoutOf(4, 1, () => 0);
const pair = { kind: 'pair', pair: ['c/n2', 'c/n4'] } as unknown as Finding;

function reasonFor(wrongReports: readonly (readonly [string, number])[], findings = [pair]) {
  const scenario = { layout, wrongReports: new Map(wrongReports), reportsOf: () => [] };
  return chanceReason(scenario, [], findings);
}

function reasonForMissed(nodes: number, reports: readonly Report[], findings: Finding[] = []) {
  const large = layoutOf(nodes, 1, () => 0);
  const scenario = { layout: large, wrongReports: new Map(), reportsOf: () => reports };
  return chanceReason(scenario, [{} as Fault], findings);
}

describe('a fault that is not found', () => {
  const young = { mask: 0b1111, hidden: 0, ageS: 20 };

  it('is missed by chance where one row tells of it, and some row would wrongly', () => {
    expect(reasonForMissed(60, [young])).toMatch(/one report/);
  });

  it('is an error where two rows tell of it, it lasted, or the cluster is too small for wrong reports', () => {
    expect(reasonForMissed(60, [young, young])).toBeUndefined();
    expect(reasonForMissed(60, [{ ...young, ageS: 60 }])).toBeUndefined();
    expect(reasonForMissed(8, [young])).toBeUndefined();
  });

  it('is an error where no wrong report has its channels, or something else is found', () => {
    expect(reasonForMissed(60, [{ ...young, mask: 0b0101 }])).toBeUndefined();
    expect(reasonForMissed(60, [young], [pair])).toBeUndefined();
  });

  it('may be a wrong report about channels of which some fail for another reason', () => {
    const echoes = { ...young, mask: 0b0101 };
    expect(reasonForMissed(60, [{ ...echoes, hidden: 0b1010 }])).toMatch(/one report/);
    expect(reasonForMissed(60, [{ ...echoes, hidden: 0b1000 }])).toBeUndefined();
  });
});

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
