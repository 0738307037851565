import { readCounts } from './read-counts.js';
import { runScenarios, table } from './run-scenarios.js';

const help = `Usage: npm run sim -- findings [--count N] [--seed FIRST]

Makes random clusters with faults by seed, and says how often the findings name what was made.
A scenario that goes wrong is printed with its seed: --seed SEED --count 1 runs it again.
`;

/**
 * Prints how often injected faults were named, by kind. The exit code is 1 if a target is missed.
 */
export function findings(argv: readonly string[]): number {
  const options = readCounts(argv, help, { count: 2400, seed: 1 });
  if (!options) return 0;
  const figures = runScenarios(options.seed, options.count);
  process.stdout.write(`${table(figures)}\n`);
  const { withFault, first, all, falseAlarms } = figures;
  const isMet = first >= 0.97 * withFault && all >= 0.92 * withFault && falseAlarms === 0;
  return isMet ? 0 : 1;
}
