import { writeFileSync } from 'node:fs';
import { registerTask, runSeeds } from '../lib/run-seeds.js';
import { add, newFigures, type Figures } from './figures.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { meetsTargets, printFigures } from './print-figures.js';
import { readChoice, readCounts, readWholeNumber } from './read-counts.js';
import { variantNames, type Variant } from './scenarios/variants.js';

const help = `Usage: npm run sim -- findings [--count N] [--seed FIRST] [--variant NAME] [--jobs N] [--json FILE]

Makes random clusters with faults by seed, and says how often the findings are exactly what was
made: each visible fault is named by one finding, and no finding names anything else.

The variants: ${variantNames.join(', ')}.
Without --variant, N scenarios of the base and a tenth of N of each other variant are run. The
targets are those of the base.
A scenario that goes wrong is printed with its seed: --variant NAME --seed SEED --count 1 runs it
again.
`;

registerTask('findings', outcomeOf);

/** Prints how often the findings are the faults. The exit code is 1 if a target is missed. */
export async function findings(argv: readonly string[]): Promise<number> {
  const texts = {
    json: { type: 'string' },
    variant: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  } as const;
  const options = readCounts(argv, help, { count: 2400, seed: 1 }, texts);
  if (!options) return 0;
  const { seed, count, json, variant } = options;
  const jobs = readWholeNumber('--jobs', options.jobs ?? '');
  const chosen =
    variant === undefined ? variantNames : [readChoice('--variant', variant, variantNames)];
  const all = new Map<Variant, Figures>();
  for (const name of chosen) {
    const part = variant === undefined && name !== 'base' ? Math.ceil(count / 10) : count;
    const figures = newFigures();
    const startedAt = performance.now();
    const seeds = { task: 'findings', seed, count: part, jobs, options: name };
    for await (const outcome of runSeeds<Outcome>(seeds)) add(figures, outcome);
    const perSecond = ((1000 * part) / (performance.now() - startedAt)).toFixed(0);
    process.stdout.write(
      `${name}\n${printFigures(figures)}\n\n${perSecond} scenarios a second\n\n`,
    );
    all.set(name, figures);
  }
  if (json !== undefined) writeFileSync(json, toJson(all));
  const base = all.get('base');
  return base === undefined || meetsTargets(base) ? 0 : 1;
}

function toJson(figures: object): string {
  const plain = (_: string, value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries(value) : value;
  return `${JSON.stringify(figures, plain, 2)}\n`;
}
