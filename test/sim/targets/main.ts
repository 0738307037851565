import { parseArgs } from 'node:util';
import { runTargets, type TargetFigures, type TargetRun } from './run-targets.js';

const help = `Usage: npm run sim -- targets [--nodes N,N] [--seed FIRST] [--seeds N] [--budget N]

One target that every node probes from both planes, with the real schedule and the real hints: all agents start
at once, it dies, it comes back, and all start while it is dead. Prints how many probes it sees in the worst
second, beside the budget, and how soon the agents know of its death. The default takes some minutes.
`;

/** Runs the simulation and prints the figures. The exit code is 1 if the budget is exceeded in any second. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      nodes: { type: 'string', default: '12,100,1000,5000' },
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '2' },
      budget: { type: 'string', default: '50' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const sizes = values.nodes.split(',').map(Number);
  const [first, seeds, budgetPerSecond] = [values.seed, values.seeds, values.budget].map(Number);
  if (!first || !seeds || !budgetPerSecond || !sizes.every((size) => size > 0)) {
    throw new RangeError(help);
  }
  let isMet = true;
  for (const nodes of sizes) {
    for (let seed = first; seed < first + seeds; seed++) {
      const dies = seed % 2 === 0 ? 'refuses' : 'is silent';
      const run: TargetRun = { seed, nodes, budgetPerSecond, dies };
      isMet = print(run, await runTargets(run)) && isMet;
    }
  }
  process.stdout.write(
    isMet ? '\nNo second saw more than the budget.\n' : '\nThe budget is MISSED.\n',
  );
  return isMet ? 0 : 1;
}

/** Prints a run and returns whether it kept to the budget. */
function print({ nodes, seed, dies, budgetPerSecond }: TargetRun, figures: TargetFigures): boolean {
  const { plan, phases, firstMs, tenthMs, ninetyPercentMs, allMs, looks, getsPerAgent } = figures;
  const seconds = (ms: number | undefined) =>
    ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`;
  const lines = [
    `\n${nodes} nodes, seed ${seed}: each looks every ${seconds(plan.intervalMs)} from each plane; the target ${dies}`,
    ...phases.map(({ name, mostInASecond, meanPerSecond }) => {
      const verdict = mostInASecond <= budgetPerSecond ? 'kept' : 'MISSED';
      return `  ${name.padEnd(27)} most in a second ${mostInASecond} (budget ${budgetPerSecond}, ${verdict}), mean ${meanPerSecond.toFixed(1)}`;
    }),
    `  found by the first after ${seconds(firstMs)}, by ten after ${seconds(tenthMs)}; ${looks} looks by hints`,
    `  rows of three that cannot reach it: at nine of ten agents after ${seconds(ninetyPercentMs)}, at all after ${seconds(allMs)}` +
      ` (plan ${seconds(plan.timeToDetectWithHintsMs)}, alone ${seconds(plan.timeToDetectMs)}); ${getsPerAgent.toFixed(0)} GETs an agent in half a minute`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return phases.every(({ mostInASecond }) => mostInASecond <= budgetPerSecond);
}
