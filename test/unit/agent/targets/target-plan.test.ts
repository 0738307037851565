import { describe, expect, test } from 'vitest';
import type { Plane } from '../../../../agent/model/path.js';
import {
  areFew,
  confirmationGapOf,
  hintSpreadMs,
  roundsPerSecond,
  planTarget,
  targetIntervalMs,
  targetPhaseMs,
  untilTurnMs,
} from '../../../../agent/targets/target-plan.js';
import { tcpTarget } from './lib/fake-target.js';

const budgetPerSecond = 50;
const target = tcpTarget('database');

describe('the plan of a target', () => {
  test('keeps the interval of the target while the budget allows it', () => {
    expect(targetIntervalMs(target, { nodes: 12, budgetPerSecond })).toBe(5000);
    const slow = tcpTarget('slow', { intervalMs: 30_000 });
    expect(targetIntervalMs(slow, { nodes: 12, budgetPerSecond })).toBe(30_000);
  });

  test('stretches the interval with the number of nodes and of planes', () => {
    const both = targetIntervalMs(target, { nodes: 5000, budgetPerSecond });
    const one = targetIntervalMs(tcpTarget('x', { from: ['host'] }), {
      nodes: 5000,
      budgetPerSecond,
    });
    expect(both / 1000).toBeCloseTo(1566, -1);
    expect(Math.abs(both / one - 2)).toBeLessThan(0.001);
    expect(targetPhaseMs(target, { nodes: 5000, budgetPerSecond })).toBeCloseTo(both, -1);
  });

  test.each([1, 2, 5, 10, 50, 500, 5000])(
    'leaves six standard deviations of chance below a budget of %s probes a second',
    (budget) => {
      const mean = 3 * roundsPerSecond(budget);
      expect(mean + 6 * Math.sqrt(mean)).toBeCloseTo(budget, 6);
    },
  );

  test('gives hints what the steady looks leave', () => {
    for (const nodes of [13, 100, 5000]) {
      const load = { nodes, budgetPerSecond };
      const steady = (2 * nodes) / (targetIntervalMs(target, load) / 1000);
      const hinted = (change: 'failure' | 'recovery') =>
        nodes / (hintSpreadMs(target, load, change) / 1000);
      const probes = 3 * roundsPerSecond(budgetPerSecond) + 1e-9;
      expect(3 * (steady + hinted('failure'))).toBeLessThanOrEqual(probes);
      // Where it fails, a look is one probe, and two where it is well again.
      expect(2 * (steady + hinted('recovery'))).toBeLessThanOrEqual(probes);
    }
  });

  test('lets all look at once where the budget has room for three probes of each and one more', () => {
    expect([1, 12, 13].map((nodes) => areFew({ nodes, budgetPerSecond }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(hintSpreadMs(target, { nodes: 12, budgetPerSecond }, 'failure')).toBeLessThan(1000);
  });

  test('lets the planes of a node take turns, and nodes begin at times of their own', () => {
    const load = { nodes: 12, budgetPerSecond };
    const turn = (node: string, plane: Plane) =>
      untilTurnMs(target, load, { node, plane, wallMs: 1.7e12 });
    const turns = Array.from({ length: 12 }, (_, at) => turn(`c/n${at}`, 'host'));
    expect(new Set(turns.map((ms) => Math.floor(ms / 1000))).size).toBeGreaterThan(2);
    for (const [at, ms] of turns.entries()) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(5000);
      const apart = Math.abs(turn(`c/n${at}`, 'endpoint') - ms);
      expect(apart).toBeCloseTo(2500, 3);
    }
    // A target of a long interval is known soon.
    const rare = tcpTarget('rare', { intervalMs: 3_600_000 });
    expect(untilTurnMs(rare, load, { node: 'c/n1', plane: 'host', wallMs: 1.7e12 })).toBeLessThan(
      5100,
    );
  });

  test('detects with hints in a time that grows only by what it takes to ask the first witnesses', () => {
    const [small, large] = [100, 5000].map((nodes) =>
      planTarget(target, { nodes, budgetPerSecond }),
    );
    const laterMs = (large?.timeToDetectWithHintsMs ?? 0) - (small?.timeToDetectWithHintsMs ?? 0);
    expect(laterMs).toBeCloseTo(4900, -3);
    expect(large?.timeToDetectWithHintsMs).toBeLessThan(12_000);
    expect(large?.timeToDetectMs).toBeGreaterThan(1_500_000);
  });

  test('confirms a second apart unless the budget has room for all probes of a look at once', () => {
    const gapAt = (nodes: number, budget = budgetPerSecond) =>
      confirmationGapOf(target, { nodes, budgetPerSecond: budget });
    expect([1, 12, 13, 100, 5000].map((nodes) => gapAt(nodes))).toEqual([
      500, 500, 500, 1000, 1000,
    ]);
    expect(gapAt(1, 4)).toBe(500);
    expect(gapAt(1, 3)).toBe(1000);
  });

  test('knows no hints where there is one node', () => {
    const { timeToDetectMs, timeToDetectWithHintsMs } = planTarget(target, {
      nodes: 1,
      budgetPerSecond,
    });
    expect(timeToDetectWithHintsMs).toBe(timeToDetectMs);
    expect(timeToDetectMs).toBe(5000 + 2 * 500 + 1000 + 100);
  });
});
