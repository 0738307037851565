import { main as exchange } from './exchange/main.js';
import { findings } from './diagnosis/findings-main.js';
import { noise } from './diagnosis/noise-main.js';
import { runAsWorker } from './lib/run-seeds.js';
import { replay } from './replay/replay-main.js';
import { size } from './size/main.js';
import { main as targets } from './targets/main.js';
import { timeline } from './timeline/main.js';

const simulations: Readonly<Record<string, (argv: readonly string[]) => number | Promise<number>>> =
  {
    exchange,
    findings,
    noise,
    replay,
    size,
    targets,
    timeline,
  };

const help = `Usage: npm run sim -- [SIMULATION] [options]

Simulations:
  exchange   how soon hints bring all agents to a dead node, at every size (the default)
  findings   random clusters with one to three faults: how often the findings are exactly these
  noise      cluster-hours without a fault: how many findings are false
  replay     the findings that the present code makes of reports of meshprobe report
  size       the same as timeline at any size: rows of thousands of agents are generated
  targets    one target that dies: how many probes it sees in the worst second, how soon agents know
  timeline   faults that begin and end: how soon the findings are right, and for how long wrong

npm run sim -- SIMULATION --help lists the options of one.
`;

/** Runs the simulation that the first argument names. The exit code is 1 if a target is missed. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first = '', ...rest] = argv;
  if (first === '--help' || first === '-h') {
    process.stdout.write(help);
    return 0;
  }
  if (first === '' || first.startsWith('-')) return exchange(argv);
  const simulation = simulations[first];
  if (simulation) return await simulation(rest);
  process.stderr.write(
    `sim: expected one of ${Object.keys(simulations).join(', ')}, got ${JSON.stringify(first)}\n`,
  );
  return 2;
}

void runAsWorker();
