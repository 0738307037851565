import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../api/schema/v1/findings.js';
import { AgentWatch } from '../../lab/lib/agent-watch.js';
import { planLab } from '../../lab/lib/plan.js';
import { endpointPlaneFinding } from '../../doubles/v1-source.js';

const [host] = planLab('x', 1, 4).hosts;
const finding = (more: Partial<Finding>): Finding =>
  endpointPlaneFinding({ node: undefined, id: JSON.stringify(more), ...more });

const dead = finding({ kind: 'node-down', node: 'lab/n2' });
const pair = finding({ kind: 'pair', pair: ['lab/n4', 'lab/n3'] });
const wrong = finding({ kind: 'zones', zones: ['zone-a'] });
const starved = finding({ kind: 'observers-missing', node: 'lab/n1' });

function watchOf(): AgentWatch {
  if (!host) throw new Error('expected a host');
  return new AgentWatch(host, [
    { kind: 'node-down', node: 'n2' },
    { kind: 'pair', pair: ['n3', 'n4'] },
  ]);
}

describe('what an agent says while two faults last', () => {
  test('is exact when it has both and nothing else', () => {
    const watch = watchOf();
    for (const [findings, isExact] of [
      [[], false],
      [[dead], false],
      [[dead, wrong], false],
      [[dead, pair, wrong], false],
      [[pair, starved, dead], true],
    ] as const) {
      watch.look(findings, 1);
      expect(watch.isExact).toBe(isExact);
    }
  });

  test('is exact for the time since it was last wrong', () => {
    const watch = watchOf();
    watch.look([dead, pair], 1000);
    watch.look([dead, pair], 3000);
    expect([watch.exactMs, watch.exactForMs(3000)]).toEqual([1000, 2000]);
    watch.look([dead], 4000);
    expect(watch.exactForMs(4500)).toBe(0);
    watch.look([dead, pair], 5000);
    expect([watch.exactMs, watch.exactForMs(6000)]).toEqual([1000, 2000]);
  });

  test('is false if it names neither fault, once for each time that it is said', () => {
    const watch = watchOf();
    const looks = [[dead], [dead, wrong], [wrong, starved], [dead], [wrong], []];
    const ids = looks.map((findings, at) =>
      watch.look(findings, at * 100).map((one) => one.finding),
    );
    expect(ids).toEqual([[], [wrong], [wrong], [], [wrong], []]);
    expect(watch.falseFindings.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [100, 200],
      [400, 400],
    ]);
  });

  test('is closed when it is empty for good after the repair', () => {
    const watch = watchOf();
    watch.look([dead], 100);
    watch.repaired(200);
    expect(watch.wrongAtRepair).toMatch(/^n1 said: .*node-down/);
    watch.look([], 300);
    watch.look([pair], 400);
    expect(watch.closedMs).toBe(Infinity);
    watch.look([starved], 500);
    watch.look([], 600);
    expect(watch.closedMs).toBe(500);
  });
});
