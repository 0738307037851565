import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { protocols, type Protocol } from '../../../agent/model/sample.js';
import { cadencesOf5000 } from '../lib/simulation.js';
import {
  defaultPlan,
  detectionBoundMs,
  mostProbesInASecond,
  targetMs,
  tooManyProbes,
} from './bounds.js';
import { runLightModel, type LightModelOptions } from './light-model.js';
import { nodeDies, quantile, scenariosOf, type Outcome, type Scenario } from './scenarios.js';
import { print } from '../diagnosis/read-counts.js';

const defaults = { agents: '60', seeds: '200', minutes: 30 };

const help = `Usage: npm run sim -- exchange [--agents N] [--seeds N] [--seed FIRST] [--scenario TEXT] [--only light|real]

Runs simulated clusters of real agents, then the lighter model of the same rules at larger sizes. Each seed
runs one scenario, all scenarios in turn; with --scenario each seed runs those whose name has that text.
A run that goes wrong is named with its seed and the command that runs it again. The default takes some
${defaults.minutes} minutes on one core. 300 agents are possible, and take 25 times as long.
`;

/** Runs all scenarios and prints the results. The exit code is 1 if anything is wrong. */
export function main(argv: readonly string[]): number {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      agents: { type: 'string', default: defaults.agents },
      seeds: { type: 'string', default: defaults.seeds },
      seed: { type: 'string', default: '1' },
      scenario: { type: 'string' },
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
  print(wrong === 0 ? '\nAll as it must be.' : `\n${wrong} things are not as they must be.`);
  return wrong === 0 ? 0 : 1;
}

function runReal(agents: number, seeds: number, first: number, filter?: string): number {
  print(
    `\nReal agents: ${agents} at the intervals of 5,000 nodes, seeds ${first} to ${first + seeds - 1}`,
  );
  let wrong = 0;
  const outcomes = new Map<Scenario, Outcome[]>();
  for (let seed = first; seed < first + seeds; seed++) {
    for (const scenario of scenariosOf(seed, filter)) {
      const outcome = scenario.run(seed, agents);
      const mistakes = [...outcome.wrong, ...tooManyProbes(outcome, agents)];
      outcomes.set(scenario, [...(outcomes.get(scenario) ?? []), outcome]);
      if (mistakes.length === 0) continue;
      wrong++;
      print(
        `  WRONG: ${mistakes.slice(0, 3).join('; ')} (${mistakes.length} in all). Run it again:`,
      );
      print(
        `    npm run sim -- --agents ${agents} --seed ${seed} --seeds 1 --only real --scenario '${scenario.name}'`,
      );
    }
  }
  for (const [scenario, runs] of outcomes) wrong += report(scenario, runs, agents);
  return wrong;
}

/** Prints the results of a scenario's runs and returns the number of errors. */
function report(scenario: Scenario, runs: readonly Outcome[], agents: number): number {
  let wrong = 0;
  print(`  ${scenario.name} (${runs.length} runs)`);
  for (const protocol of protocols) {
    const times = runs.flatMap(({ detectionMs }) => detectionMs[protocol]);
    if (times.length === 0) continue;
    const boundMs = scenario === nodeDies ? detectionBoundMs(agents, protocol) : Infinity;
    const isMet = quantile(times, 0.99) <= boundMs;
    if (!isMet) wrong++;
    const verdict =
      boundMs === Infinity ? '' : `; p99 <= ${boundMs / 1000} s ${isMet ? 'met' : 'MISSED'}`;
    print(`    ${protocol.toUpperCase()} ${spread(times)}${verdict}`);
  }
  const busiest = runs.flatMap(({ busiestSecond }) => busiestSecond ?? []);
  if (busiest.length > 0) {
    const most = (protocol: Protocol) => Math.max(...busiest.map((one) => one[protocol]));
    const bound = mostProbesInASecond(agents);
    print(
      `    most probes at one living address in a second: ${most('icmp')} echoes (bound ${bound.icmp}), ${most('http')} GETs (bound ${bound.http})`,
    );
  }
  return wrong;
}

/**
 * Prints the light model for several sizes. The intervals follow from the budgets, and half of the
 * GETs go to agents.
 */
function runLight(first: number): number {
  let wrong = 0;
  print('\nThe lighter model: one node dies');
  for (const agents of [100, 1000, 5000, 50_000]) {
    const plans = defaultPlan(agents);
    const { icmp, http } = plans;
    const options: LightModelOptions = {
      seed: first,
      agents,
      timeoutMs: cadencesOf5000.http.timeoutMs,
      failureThreshold: cadencesOf5000.http.failureThreshold,
      intervalMs: { icmp: icmp.intervalMs, http: http.intervalMs },
      exchangesPerSecond: agents / (http.intervalMs / 1000),
      dies: 'host',
    };
    const host = runLightModel(options);
    const agent = runLightModel({ ...options, dies: 'agent' });
    print(`  ${agents} nodes`);
    for (const protocol of protocols) {
      const plan = plans[protocol];
      const isMet = quantile(host.detectionMs[protocol], 0.99) <= targetMs;
      if (!isMet) wrong++;
      print(
        `    ${protocol.toUpperCase()} ${spread(host.detectionMs[protocol])}; target p99 <= 4 s ${isMet ? 'met' : 'MISSED'}; plan ${plan.timeToDetectWithHintsMs} ms, alone ${plan.timeToDetectMs} ms`,
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
