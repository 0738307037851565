import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { planWithHints } from '../../../agent/exchange/plan-with-hints.js';
import { planProbing } from '../../../agent/probing/schedule/plan.js';
import { cadencesOf5000 } from '../lib/simulation.js';
import { runLightModel, type LightModelOptions } from './light-model.js';
import { quantile, scenarios } from './scenarios.js';

const help = `Usage: npm run sim -- [--agents N] [--seeds N] [--seed FIRST] [--scenario TEXT] [--only light|real]

Runs simulated clusters of real agents, then the lighter model of the same rules at larger sizes.
A run that goes wrong is named with its seed: --seed SEED --seeds 1 runs it again.
`;

/** Runs all, prints what came out, and returns the exit code: 1 where anything is not as it must be. */
export function main(argv: readonly string[]): number {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      agents: { type: 'string', default: '150' },
      seeds: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      scenario: { type: 'string', default: '' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [agents, seeds, first] = [values.agents, values.seeds, values.seed].map(Number);
  if (!agents || !seeds || !first) throw new RangeError(help);
  print(
    `${cpus()[0]?.model ?? 'a processor'} x ${availableParallelism()}, Node ${process.version}`,
  );
  let wrong = 0;
  if (values.only !== 'light') wrong += runReal(agents, seeds, first, values.scenario);
  if (values.only !== 'real') wrong += runLight(first);
  return wrong === 0 ? 0 : 1;
}

function runReal(agents: number, seeds: number, first: number, filter: string): number {
  let wrong = 0;
  print(
    `\nReal agents: ${agents} at the intervals of 5,000 nodes, seeds ${first} to ${first + seeds - 1}`,
  );
  for (const { name, run } of scenarios.filter((one) => one.name.includes(filter))) {
    const [icmp, http]: [number[], number[]] = [[], []];
    let busiest = { icmp: 0, http: 0 };
    const startedMs = performance.now();
    for (let seed = first; seed < first + seeds; seed++) {
      const outcome = run(seed, agents);
      icmp.push(...outcome.detectionMs.icmp);
      http.push(...outcome.detectionMs.http);
      const { busiestSecond } = outcome;
      if (busiestSecond) {
        busiest = {
          icmp: Math.max(busiest.icmp, busiestSecond.icmp),
          http: Math.max(busiest.http, busiestSecond.http),
        };
      }
      if (outcome.wrong.length === 0) continue;
      wrong++;
      print(
        `  WRONG seed ${seed}: ${outcome.wrong.slice(0, 3).join('; ')} (${outcome.wrong.length} in all)`,
      );
    }
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    print(`  ${name} (${seconds} s)`);
    if (icmp.length > 0) print(`    ICMP ${spread(icmp)}`);
    if (http.length > 0) print(`    HTTP ${spread(http)}`);
    if (busiest.icmp + busiest.http > 0) {
      print(
        `    most probes at one living address in a second: ${busiest.icmp} echoes, ${busiest.http} GETs`,
      );
    }
  }
  return wrong;
}

const targetMs = 4000;

/** The sizes to show, with the intervals that the budgets come to and half of the GETs going to agents. */
function runLight(first: number): number {
  let wrong = 0;
  print('\nThe lighter model: one node dies');
  for (const agents of [100, 1000, 5000, 50_000]) {
    const plans = planWithHints(
      {
        icmp: planProbing({ ...cadencesOf5000.icmp, intervalMs: 1000 }, 2 * agents),
        http: planProbing({ ...cadencesOf5000.http, intervalMs: 5000 }, 2 * agents),
      },
      ...([agents, agents] as const),
    );
    const options: LightModelOptions = {
      ...{ seed: first, agents, timeoutMs: 1000, failureThreshold: 3 },
      intervalMs: { icmp: plans.icmp?.intervalMs ?? 0, http: plans.http?.intervalMs ?? 0 },
      exchangesPerSecond: agents / ((plans.http?.intervalMs ?? 0) / 1000),
      dies: 'host',
    };
    const host = runLightModel(options);
    const agent = runLightModel({ ...options, dies: 'agent' });
    print(`  ${agents} nodes`);
    for (const protocol of ['icmp', 'http'] as const) {
      const plan = plans[protocol];
      const p99 = quantile(host.detectionMs[protocol], 0.99);
      if (p99 > targetMs) wrong++;
      print(
        `    ${protocol.toUpperCase()} ${spread(host.detectionMs[protocol])}; target p99 <= 4 s ${p99 <= targetMs ? 'met' : 'MISSED'}; plan ${plan?.timeToDetectWithHintsMs} ms, alone ${plan?.timeToDetectMs} ms`,
      );
    }
    print(
      `    where only its agent ends, HTTP ${spread(agent.detectionMs.http)}; most looks in a second ${agent.mostLooksInASecond}`,
    );
  }
  return wrong;
}

function spread(values: readonly number[]): string {
  const at = (share: number): string => `${(quantile(values, share) / 1000).toFixed(2)} s`;
  return `median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, worst ${at(1)} (${values.length})`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
