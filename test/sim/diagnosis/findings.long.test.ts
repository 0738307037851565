import { describe, expect, it } from 'vitest';
import { testFindings } from './findings-test.js';
import { runScenarios } from './run-scenarios.js';
import { variantNames } from './scenarios/variants.js';

describe('random clusters with one to three faults', () => {
  testFindings(61, 240);

  it.each(variantNames)('have faults that can be seen in the variant %s', (variant) => {
    const { first, extra } = runScenarios(1, 8, variant);
    // A node without an agent need not be found, but it may be.
    if (variant === 'few-agents') expect(extra.whole).toBe(8);
    else expect(first.whole).toBeGreaterThanOrEqual(4);
  });
});
