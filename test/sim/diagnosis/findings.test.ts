import { describe, expect, it } from 'vitest';
import { testFindings } from './findings-test.js';
import { exactTotal } from './print-figures.js';
import { runScenarios } from './run-scenarios.js';

describe('random clusters with one to three faults', () => {
  testFindings(1, 60);

  it.each([
    [45, 'two zones cut, and a dead node that is a zone'],
    [125, 'a dead agent in a zone of two'],
    [422, 'two zones cut, and an endpoint that is filtered'],
  ])('are not taken for a zone that is cut off: seed %i, %s', (seed) => {
    const figures = runScenarios(seed, 1);
    expect(exactTotal(figures, 2)).toEqual({ part: 1, whole: 1 });
    expect(figures.extra.part).toBe(0);
  });
});
