import { availableParallelism } from 'node:os';
import {
  print,
  readChoice,
  readCounts,
  readNumberWithin,
  readWholeNumber,
} from '../diagnosis/read-counts.js';
import { registerTask, runSeeds } from '../lib/run-seeds.js';
import { printBadRound, printRound } from '../timeline/print-timeline.js';
import type { Round } from '../timeline/run-round.js';
import { groupsIn } from '../timeline/round-plan.js';
import { SizeFigures } from './size-figures.js';
import { printStages, printStagesOfAll } from './print-stages.js';
import { runSizeRound, runWholeRound, type SizeRound, type Stages } from './run-size-round.js';
import { families, planSizeRound, type SizeOptions } from './size-plan.js';

const help = `Usage: npm run sim -- size [--nodes N] [--count K] [--seed FIRST] [--views N] [--jobs N] [--faults FAMILY] [--groups fault|cut|innocent] [--whole] [--stages] [--verbose]

Rounds over time in a cluster of N nodes, 1,000 if nothing else is said: one to three faults begin, last for some time and
are repaired. The rows of all agents are generated as agents of such a cluster send them; no agent is run but those that
make the findings, of which there are a few, near the faults and far from them.

The line at the end says how many rounds were right: each agent that could know said all faults and nothing else within
the time in which all lasted. A round is wrong where anything was said that was not so at that time, until no row of
before the repair is left. A finding may name a fault for three seconds after its agent has a row that tells of the
repair. A fault came again where an agent named it, then did not while it lasted, and then did.

With --faults large twenty nodes die at once, or two zones are cut beside a fault of a node; with --faults lossy packets
are lost at random, with lossy-everywhere on all paths beside a fault because of which some fail, with lossy-many at 15
to 40 % of the nodes. With rolling one node after another has the same fault for a while; with spreading they have it
all in the end, and are repaired one after another. With changing two nodes have one fault after another, with no time
between them; with mixed different faults come one after another; with rolling-update all agents are restarted in 80 s
beside the faults. With --groups nodes have labels that cut across zones: all nodes of a group have a fault, those with
two values of one label cannot reach each other, or the groups have nothing to do with the faults. With --whole each round runs a second time, with whole agents as sim -- timeline runs
them, and a second line says the same of these. With --stages each fault that was named has a line: after how many
seconds any agent had a verdict, this agent had a row that tells of it, it thought of the cause, and named it; and the
same of the repair, until it named it no more. Progress is on stderr. --seed SEED --count 1 --verbose runs a round again
and prints what was said when.
`;

/** What the rounds of one size are run with. */
interface Options extends SizeOptions {
  readonly views: number;
  readonly isWhole: boolean;
  readonly hasStages: boolean;
}

/** One round, and the same with whole agents where these are wanted. */
interface Rounds {
  readonly generated: SizeRound;
  readonly whole: Round | undefined;
}

registerTask(
  'size',
  async (seed: number, { views, isWhole, hasStages, ...options }: Options): Promise<Rounds> => {
    const plan = planSizeRound(seed, options);
    const generated = await runSizeRound(plan, views, hasStages);
    return { generated, whole: isWhole ? await runWholeRound(plan, generated) : undefined };
  },
);

/** Prints how many rounds were right and wrong. The exit code is 1 if a target is missed. */
export async function size(argv: readonly string[]): Promise<number> {
  const more = {
    nodes: { type: 'string', default: '1000' },
    views: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    faults: { type: 'string' },
    groups: { type: 'string' },
    whole: { type: 'boolean' },
    stages: { type: 'boolean' },
    verbose: { type: 'boolean' },
  } as const;
  const read = readCounts(argv, help, { count: 12, seed: 1 }, more);
  if (!read) return 0;
  const { seed, count, verbose, whole: isWhole = false, stages: hasStages = false } = read;
  const family =
    read.faults === undefined ? undefined : readChoice('--faults', read.faults, families);
  const groups =
    read.groups === undefined ? undefined : readChoice('--groups', read.groups, groupsIn);
  const nodes = readNumberWithin('--nodes', read.nodes ?? '', 6, 10_000);
  const views = read.views === undefined ? viewsAt(nodes) : readWholeNumber('--views', read.views);
  const jobs = Math.min(readWholeNumber('--jobs', read.jobs ?? ''), availableParallelism());
  const [figures, wholeFigures] = [new SizeFigures(), new SizeFigures()];
  const stages: Stages[] = [];
  const startedAt = performance.now();
  const options: Options = { nodes, family, groups, views, isWhole, hasStages };
  for await (const rounds of runSeeds<Rounds>({ task: 'size', seed, count, jobs, options })) {
    const { generated, whole } = rounds;
    figures.add(generated);
    stages.push(...generated.stages);
    printFor(generated, verbose === true);
    if (hasStages) for (const line of printStages(generated)) print(line);
    if (whole) {
      wholeFigures.add(whole);
      process.stdout.write('whole ');
      printFor(whole, verbose === true);
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stderr.write(
      `${figures.rounds.length} of ${count} rounds, ${seconds} s; seed ${generated.seed}: ${generated.agents.length} agents made findings ${generated.runs} times\n`,
    );
  }
  if (hasStages) print(printStagesOfAll(stages));
  print(`${figures.printWays()}\n${figures.print(nodes)}`);
  if (isWhole) print(`${wholeFigures.printWays()}\n${wholeFigures.print(nodes, 'whole')}`);
  return figures.meetsTargets ? 0 : 1;
}

function printFor(round: Round, isVerbose: boolean): void {
  const bad = printBadRound(round);
  if (bad !== undefined) print(bad);
  if (isVerbose) for (const line of printRound(round)) print(line);
}

/** More nodes take longer, so fewer agents make findings. */
function viewsAt(nodes: number): number {
  return nodes < 200 ? 4 : 2;
}
