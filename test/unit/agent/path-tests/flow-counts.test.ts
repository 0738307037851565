import { describe, expect, test } from 'vitest';
import { judgeFlows } from '../../../../agent/path-tests/flows/flow-counts.js';
import { Random } from '../../../fuzz/random.js';

const rounds = 3;
const flows = (counts: readonly number[]) =>
  judgeFlows(new Map(counts.map((count, index) => [40_000 + index, count])), rounds);
const times = (count: number, value: number): number[] => Array<number>(count).fill(value);

describe('flows', () => {
  test('that all pass are passing, and that all fail are failing', () => {
    expect(flows(times(64, 0))).toMatchObject({ result: 'passing', failing: 0, ports: [] });
    expect(flows(times(64, 3))).toMatchObject({ result: 'failing', failing: 64 });
  });

  test('of which some always fail and the others never do are sticky, with their ports', () => {
    expect(flows([...times(6, 3), ...times(58, 0)])).toEqual({
      result: 'sticky',
      tried: 64,
      failing: 6,
      ports: [40_000, 40_001, 40_002, 40_003, 40_004, 40_005],
      sometimes: 0,
    });
  });

  test('stay sticky if one packet of another flow is lost too', () => {
    expect(flows([...times(6, 3), 1, ...times(57, 0)])).toMatchObject({
      result: 'sticky',
      failing: 6,
      sometimes: 1,
    });
  });

  test('that lose packets by chance are lossy, at any share', () => {
    const random = new Random(19);
    for (const share of [0.02, 0.1, 0.3, 0.5, 0.7]) {
      let sticky = 0;
      for (let run = 0; run < 200; run++) {
        const lost = () => times(rounds, 0).filter(() => random.next() < share).length;
        if (flows(times(64, 0).map(lost)).result === 'sticky') sticky++;
      }
      expect([share, sticky <= 2]).toEqual([share, true]);
    }
  });
});
