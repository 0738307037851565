import { describe, expect, test } from 'vitest';
import { Random } from '../../fuzz/random.js';
import { planLab } from '../../lab/lib/plan.js';
import { chooseSteps, type Step } from '../../soak/steps.js';

const { hosts } = planLab('x', 9, 4, ['a', 'b', 'c']);

function first(count: number, seed: number): Step[] {
  const steps = chooseSteps(hosts, new Random(seed));
  return Array.from({ length: count }, () => steps.next().value);
}

const whats = (seed: number) => first(30, seed).map(({ what }) => what);

describe('what is done to the cluster', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(whats(7)).toEqual(whats(7));
    expect(whats(7)).not.toEqual(whats(8));
  });

  test('has each kind once in every six', () => {
    const steps = whats(3);
    for (let at = 0; at < steps.length; at += 6) {
      const some = steps.slice(at, at + 6);
      expect(some.filter((what) => what.endsWith('is restarted'))).toHaveLength(1);
      expect(some.filter((what) => what.endsWith('is not in the node list'))).toHaveLength(1);
      expect(some.filter((what) => what.includes('loses 30 %'))).toHaveLength(1);
    }
  });

  test('ends after some time', () => {
    for (const { lastsMs, restMs } of first(300, 1)) {
      expect(lastsMs).toBeGreaterThanOrEqual(15_000);
      expect(lastsMs).toBeLessThanOrEqual(45_000);
      expect(restMs).toBeGreaterThanOrEqual(15_000);
      expect(restMs).toBeLessThanOrEqual(30_000);
    }
  });
});
