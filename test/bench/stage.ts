import { startAgent, untilSwept } from './environment/agent.js';
import { defaultCadence } from './environment/cadence.js';
import { addressesOf, clusterOf, divide } from './environment/cluster.js';
import { apiPort } from './environment/environment.js';
import { planOf } from './environment/status.js';
import type { Measurement } from './measurements.js';
import { titleOf, type StagePlan } from './plan.js';
import { duration } from './report/numbers.js';
import { logProgress } from './progress.js';
import { measureCli } from './steps/cli.js';
import { measureCluster } from './steps/cluster.js';
import { measureCost } from './steps/cost.js';
import { measureDetection } from './steps/detection.js';
import { measureFloor } from './steps/floor.js';
import { measureRtt } from './steps/rtt.js';
import { measureLoad } from './steps/load.js';
import { reportStart, timeStarts } from './steps/start.js';
import { measureStatusLoad } from './steps/status-load.js';
import type { Bench, Stage } from './steps/step.js';

type Step = (stage: Stage) => Promise<void>;

/** The measurements of a running agent in their order. Those that disturb the agent come last. */
const steps: readonly (readonly [Measurement, Step])[] = [
  ['cost', measureCost],
  ['rtt', measureRtt],
  ['detection', measureDetection],
  ['cli', measureCli],
  ['status', measureStatusLoad],
  ['load', measureLoad],
  ['cluster', measureCluster],
];

/** Sets up one agent with its cluster, runs the planned measurements, and removes both. */
export async function runStage(bench: Bench, plan: StagePlan): Promise<void> {
  const { environment: ground, agentProgram } = bench;
  const nodes = clusterOf(plan.nodes);
  const { dead, alive } = divide(nodes, plan.deadShare);
  const title = titleOf(plan);
  const has = (name: Measurement): boolean => plan.measurements.includes(name);
  await ground.cut(addressesOf(dead));
  await ground.filterIcmp(plan.icmpFiltered);
  try {
    logProgress(`${title}, ${plan.engine} engine: first sweep`);
    // The TCP listener is off by default, so it stays off when memory and starts are measured.
    const flags = has('status') ? ['--api-listen', `127.0.0.1:${apiPort}`] : [];
    const options = { program: agentProgram, nodes, engine: plan.engine, flags };
    const answeredMs = has('start') ? await timeStarts(bench, options) : [];
    const agent = await startAgent(ground, options);
    try {
      const sweptMs = await untilSwept(agent, plan.nodes, true);
      logProgress(`${title}: first sweep done after ${duration(sweptMs)}`);
      const { engine, deadShare, icmpFiltered } = plan;
      const { body } = await agent.status();
      const planned = defaultCadence(plan.nodes * 2);
      const cadence = {
        icmp: planOf(body, 'icmp').intervalMs ?? planned.icmp,
        http: planOf(body, 'http').intervalMs ?? planned.http,
      };
      const stage: Stage = {
        ...bench,
        agent,
        engine,
        nodes,
        alive,
        deadShare,
        icmpFiltered,
        cadence,
        title,
      };
      if (has('start')) reportStart(stage, [...answeredMs, agent.answeredMs], sweptMs);
      for (const [name, step] of steps) {
        if (!has(name)) continue;
        logProgress(`${title}: ${name}`);
        await bench.attempt(`${name}, ${title}`, () => step(stage));
      }
    } finally {
      await agent.stop();
    }
    if (has('cost') && plan.deadShare === 0 && bench.tools.has('fping')) {
      logProgress(`${title}: cost of bare senders`);
      await bench.attempt(`floor, ${title}`, () => measureFloor(bench, nodes, title));
    }
  } finally {
    await ground.restoreAll();
  }
}
