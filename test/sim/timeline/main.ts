import {
  print,
  readChoice,
  readCounts,
  readNumberWithin,
  readWholeNumber,
} from '../diagnosis/read-counts.js';
import { registerTask, runSeeds } from '../lib/run-seeds.js';
import { TimelineFigures } from './figures.js';
import { printBadRound, printRound, printTimeline } from './print-timeline.js';
import { groupsIn, planRound, type RoundOptions } from './round-plan.js';
import { runRound, type Round } from './run-round.js';

const help = `Usage: npm run sim -- timeline [--count N] [--seed FIRST] [--nodes N] [--jobs N] [--targets] [--groups fault|cut|innocent] [--verbose]

Runs clusters of 6 to 60 nodes at default settings on a virtual clock, one for each seed: with the
real scheduler, exchange and diagnosis. One to three faults begin and end, and sometimes an agent is
restarted. All agents of a cluster of up to 16 nodes make findings; in a larger one 16 do, among
them those of the affected nodes. It says how soon the findings are exactly the faults, and for
how long something was said that is no fault. Agents that get the rows of fewer than half of the
others cannot know, and do not count. With --targets they probe targets from both planes, and at least
one of the faults is of a target. Where another fault of a target would fail each look of each node just
so, an agent cannot know, and is counted apart with the reason. With --groups nodes have labels that cut across zones: all
nodes of a group have a fault or those with two values of one label cannot reach each other (of 12 to 60 nodes then),
or the groups have nothing to do with the faults.

A round that goes wrong is printed with its seed. --seed SEED --count 1 --verbose runs it again and
prints what each agent said when. --jobs shares the rounds among threads.
`;

registerTask('timeline', (seed: number, options: RoundOptions) =>
  runRound(planRound(seed, options)),
);

/** Prints how soon the findings are right. The exit code is 1 if a target is missed. */
export async function timeline(argv: readonly string[]): Promise<number> {
  const more = {
    nodes: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    targets: { type: 'boolean' },
    groups: { type: 'string' },
    verbose: { type: 'boolean' },
  } as const;
  const read = readCounts(argv, help, { count: 100, seed: 1 }, more);
  if (!read) return 0;
  const { seed, count, verbose, targets: hasTargets } = read;
  const nodes =
    read.nodes === undefined ? undefined : readNumberWithin('--nodes', read.nodes, 3, 200);
  const jobs = readWholeNumber('--jobs', read.jobs ?? '');
  const figures = new TimelineFigures();
  const startedAt = performance.now();
  const groups =
    read.groups === undefined ? undefined : readChoice('--groups', read.groups, groupsIn);
  const options: RoundOptions = {
    ...(nodes && { nodes }),
    hasTargets: hasTargets === true,
    groups,
  };
  const seeds = { task: 'timeline', seed, count, jobs, options };
  for await (const round of runSeeds<Round>(seeds)) {
    figures.add(round);
    const bad = printBadRound(round);
    if (bad !== undefined) print(bad);
    if (verbose === true) for (const line of printRound(round)) print(line);
  }
  print(`\n${printTimeline(figures)}\n`);
  print(`${((performance.now() - startedAt) / 1000 / count).toFixed(1)} s a round`);
  return figures.meetsTargets ? 0 : 1;
}
