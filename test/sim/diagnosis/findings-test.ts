import { expect, it } from 'vitest';
import { exactTotal, printFigures } from './print-figures.js';
import { runScenarios } from './run-scenarios.js';

/**
 * A test of so many random clusters, from a seed on. `npm run sim -- findings` runs 2,400 of them; the figures are in
 * docs/benchmarks.md.
 */
export function testFindings(seed: number, count: number): void {
  it('lead to findings that are exactly the faults, and to none without a fault', () => {
    const figures = runScenarios(seed, count);
    console.log(printFigures(figures));
    const { first, falseAlarms } = figures;
    expect(first.whole).toBeGreaterThan(count / 2);
    expect(first.part / first.whole).toBeGreaterThanOrEqual(0.97);
    // Two percent below the goals.
    for (const [faults, least] of [
      [1, 0.975],
      [2, 0.96],
      [3, 0.95],
    ] as const) {
      const { part, whole } = exactTotal(figures, faults);
      expect(whole).toBeGreaterThan(count / 30);
      expect(part / whole).toBeGreaterThanOrEqual(least);
    }
    expect(falseAlarms.part).toBe(0);
  });
}
