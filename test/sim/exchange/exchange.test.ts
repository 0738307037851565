import { describe, expect, test } from 'vitest';
import { Simulation } from '../lib/simulation.js';
import { quantile, scenarios } from './scenarios.js';

const agents = Number(process.env['SIM_AGENTS'] ?? 24);
const firstSeed = Number(process.env['SIM_SEED'] ?? 1);
const seeds = Number(process.env['SIM_SEEDS'] ?? 1);

describe(`a simulated cluster of ${agents} agents at the intervals of 5,000 nodes`, () => {
  for (const { name, run } of scenarios) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      test(`${name}: every state ends up right, by samples only (SIM_SEED=${seed})`, () => {
        const { wrong, busiestSecond } = run(seed, agents);
        expect(wrong).toEqual([]);
        // A look each, the steady probes and the confirmations of lost ones.
        if (busiestSecond) {
          expect(busiestSecond.icmp).toBeLessThanOrEqual(1.5 * agents);
          expect(busiestSecond.http).toBeLessThanOrEqual(1.5 * agents);
        }
      });
    }
  }

  test('a death is seen by all within four seconds, ICMP and HTTP alike', () => {
    const [nodeDies] = scenarios;
    const outcome = nodeDies?.run(firstSeed, agents);
    expect(outcome?.detectionMs.icmp).toHaveLength(2 * (agents - 1));
    expect(quantile(outcome?.detectionMs.icmp ?? [], 0.99)).toBeLessThan(4000);
    expect(quantile(outcome?.detectionMs.http ?? [], 0.99)).toBeLessThan(4000);
  });

  test('the same seed gives the same run', () => {
    const runs = [1, 2].map(() => {
      const sim = new Simulation({ seed: firstSeed, agents: 8, mesh: true });
      sim.kill(sim.agent(3).host);
      sim.run(5000);
      sim.stop();
      return sim.changes;
    });
    expect(runs[0]?.length).toBeGreaterThan(20);
    expect(runs[0]).toEqual(runs[1]);
  });
});
