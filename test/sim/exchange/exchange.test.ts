import { describe, expect, test } from 'vitest';
import { cadencesOf5000, Simulation } from '../lib/simulation.js';
import { detectionBoundMs, tooManyProbes } from './bounds.js';
import { runLightModel } from './light-model.js';
import { nodeDies, nodesOff, quantile, scenarios } from './scenarios.js';

const agents = Number(process.env['SIM_AGENTS'] ?? 24);
const firstSeed = Number(process.env['SIM_SEED'] ?? 1);
const seeds = Number(process.env['SIM_SEEDS'] ?? 1);

describe(`a simulated cluster of ${agents} agents at the intervals of 5,000 nodes`, () => {
  for (const { name, run } of scenarios) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      test(`${name}: every state becomes right, and only by samples (SIM_SEED=${seed})`, () => {
        const outcome = run(seed, agents);
        expect(outcome.wrong).toEqual([]);
        expect(tooManyProbes(outcome, agents)).toEqual([]);
      });
    }
  }

  test('all agents see a death in the time of the plan and of the light model', () => {
    const runs = [0, 1, 2, 3].map((more) => nodeDies.run(firstSeed + more, agents));
    for (const protocol of ['icmp', 'http'] as const) {
      const times = runs.flatMap(({ detectionMs }) => detectionMs[protocol]);
      expect(times).toHaveLength(4 * 2 * (agents - 1));
      expect(quantile(times, 0.99)).toBeLessThanOrEqual(detectionBoundMs(agents, protocol));
      const lighter = Array.from({ length: 20 }, (_, more) => {
        return lightRun(firstSeed + more).detectionMs[protocol];
      });
      const medians = lighter.map((one) => quantile(one, 0.5));
      expect(quantile(times, 0.5)).toBeGreaterThanOrEqual(Math.min(...medians) - 200);
      expect(quantile(times, 0.5)).toBeLessThanOrEqual(Math.max(...medians) + 200);
    }
  });

  test('the same seed gives the same run', () => {
    const runs = [1, 2].map(() => {
      const sim = new Simulation({ seed: firstSeed, agents: 8, mesh: true });
      sim.endAgents([3], nodesOff([3]));
      sim.run(20_000);
      sim.stop();
      return sim.changes;
    });
    expect(runs[0]?.length).toBeGreaterThan(20);
    expect(runs[0]).toEqual(runs[1]);
  });
});

/** Runs the light model of the same cluster. */
function lightRun(seed: number) {
  const { icmp, http } = cadencesOf5000;
  return runLightModel({
    seed,
    agents,
    intervalMs: { icmp: icmp.intervalMs, http: http.intervalMs },
    timeoutMs: http.timeoutMs,
    failureThreshold: http.failureThreshold,
    exchangesPerSecond: agents / (http.intervalMs / 1000),
    dies: 'host',
  });
}
