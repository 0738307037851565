import { describe, expect, it } from 'vitest';
import { runScenarios, table } from '../../../sim/diagnosis/run-scenarios.js';

// All 2,000: MESHPROBE_SCENARIOS=2000. One again: MESHPROBE_SCENARIO_SEED=23 MESHPROBE_SCENARIOS=1.
const count = Number(process.env['MESHPROBE_SCENARIOS'] ?? 160);
const firstSeed = Number(process.env['MESHPROBE_SCENARIO_SEED'] ?? 1);

describe('random clusters with one to three faults', () => {
  it('have the faults that were made named, and nothing where none was made', () => {
    const figures = runScenarios(firstSeed, count);
    console.log(table(figures));
    const { withFault, first, all, withoutFault, falseAlarms } = figures;
    expect(first / Math.max(withFault, 1)).toBeGreaterThanOrEqual(0.97);
    expect(all / Math.max(withFault, 1)).toBeGreaterThanOrEqual(0.92);
    expect(falseAlarms / Math.max(withoutFault, 1)).toBeLessThanOrEqual(0.01);
  }, 3_600_000);
});
