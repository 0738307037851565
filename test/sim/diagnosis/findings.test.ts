import { describe, expect, it } from 'vitest';
import { runScenarios, table } from './run-scenarios.js';

// `npm run sim -- findings` runs 2,400 of them; the figures are in docs/findings.md.
const count = 160;

describe('random clusters with one to three faults', () => {
  it('lead to findings that name each fault, and to none without a fault', () => {
    const figures = runScenarios(1, count);
    console.log(table(figures));
    const { withFault, first, all, falseAlarms } = figures;
    expect(withFault).toBeGreaterThan(count / 2);
    expect(first / withFault).toBeGreaterThanOrEqual(0.97);
    expect(all / withFault).toBeGreaterThanOrEqual(0.92);
    expect(falseAlarms).toBe(0);
  }, 120_000);
});
