import { availableParallelism } from 'node:os';
import { readCounts, readWholeNumber } from '../diagnosis/read-counts.js';
import { registerTask, runSeeds } from '../lib/run-seeds.js';
import { printBadRound, printRound } from '../timeline/print-timeline.js';
import { SizeFigures } from './size-figures.js';
import { runSizeRound, type SizeRound } from './run-size-round.js';
import { planSizeRound } from './size-plan.js';

const help = `Usage: npm run sim -- size [--nodes N] [--count K] [--seed FIRST] [--views N] [--jobs N] [--verbose]

Rounds over time in a cluster of N nodes, 1,000 if nothing else is said: one to three faults begin, last for some time and
are repaired. The rows of all agents are generated as agents of such a cluster send them; no agent is run but those that
make the findings, of which there are a few, near the faults and far from them.

The line at the end says how many rounds were right: each agent that could know said all faults and nothing else within
the time in which all lasted. A round is wrong where anything was said that was not so at that time, until no row of
before the repair is left. A finding may name a fault for three seconds after its agent has a row that tells of the
repair. Progress is on stderr. --seed SEED --count 1 --verbose runs a round again and prints what was said when.
`;

/** What the rounds of one size are run with. */
interface Options {
  readonly nodes: number;
  readonly views: number;
}

registerTask('size', (seed: number, { nodes, views }: Options) =>
  runSizeRound(planSizeRound(seed, nodes), views),
);

/** Prints how many rounds were right and wrong. The exit code is 1 if a target is missed. */
export async function size(argv: readonly string[]): Promise<number> {
  const more = {
    nodes: { type: 'string', default: '1000' },
    views: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    verbose: { type: 'boolean' },
  } as const;
  const read = readCounts(argv, help, { count: 12, seed: 1 }, more);
  if (!read) return 0;
  const { seed, count, verbose } = read;
  const nodes = readNodes(read.nodes ?? '');
  const views = read.views === undefined ? viewsAt(nodes) : readWholeNumber('--views', read.views);
  const jobs = Math.min(readWholeNumber('--jobs', read.jobs ?? ''), availableParallelism());
  const figures = new SizeFigures();
  const startedAt = performance.now();
  const seeds = { task: 'size', seed, count, jobs, options: { nodes, views } satisfies Options };
  for await (const round of runSeeds<SizeRound>(seeds)) {
    figures.add(round);
    const bad = printBadRound(round);
    if (bad !== undefined) process.stdout.write(`${bad}\n`);
    if (verbose === true) for (const line of printRound(round)) process.stdout.write(`${line}\n`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stderr.write(
      `${figures.rounds.length} of ${count} rounds, ${seconds} s; seed ${round.seed}: ${round.agents.length} agents made findings ${round.runs} times\n`,
    );
  }
  process.stdout.write(`${figures.print(nodes)}\n`);
  return figures.meetsTargets ? 0 : 1;
}

/** More nodes take longer, so fewer agents make findings. */
function viewsAt(nodes: number): number {
  return nodes < 200 ? 4 : 2;
}

/** @throws RangeError with what was expected and what was got */
function readNodes(text: string): number {
  const nodes = readWholeNumber('--nodes', text);
  if (nodes >= 6 && nodes <= 10_000) return nodes;
  throw new RangeError(`--nodes: expected 6 to 10000, got ${nodes}`);
}
