import { describe, expect, it } from 'vitest';
import { exactTotal, printFigures } from './print-figures.js';
import { runScenarios } from './run-scenarios.js';
import { variantNames } from './scenarios/variants.js';

// `npm run sim -- findings` runs 2,400 of them; the figures are in docs/benchmarks.md.
const count = 160;

describe('random clusters with one to three faults', () => {
  it('lead to findings that are exactly the faults, and to none without a fault', () => {
    const figures = runScenarios(1, count);
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
      expect(whole).toBeGreaterThan(10);
      expect(part / whole).toBeGreaterThanOrEqual(least);
    }
    expect(falseAlarms.part).toBe(0);
  }, 120_000);

  it.each([
    [45, 'two zones cut, and a dead node that is a zone'],
    [125, 'a dead agent in a zone of two'],
    [422, 'two zones cut, and an endpoint that is filtered'],
  ])('are not taken for a zone that is cut off: seed %i, %s', (seed) => {
    const figures = runScenarios(seed, 1);
    expect(exactTotal(figures, 2)).toEqual({ part: 1, whole: 1 });
    expect(figures.extra.part).toBe(0);
  });

  it.each(variantNames)('have faults that can be seen in the variant %s', (variant) => {
    const { first, extra } = runScenarios(1, 8, variant);
    // A node without an agent need not be found, but it may be.
    if (variant === 'few-agents') expect(extra.whole).toBe(8);
    else expect(first.whole).toBeGreaterThanOrEqual(4);
  });
});
