import { add, newFigures, type Figures } from './figures.js';
import { outcomeOf } from './outcome.js';
import type { Variant } from './scenarios/variants.js';

/** Runs `count` scenarios of a variant with consecutive seeds. */
export function runScenarios(firstSeed: number, count: number, variant: Variant = 'base'): Figures {
  const figures = newFigures();
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    add(figures, outcomeOf(seed, variant));
  }
  return figures;
}
