import { join } from 'node:path';
import { startCommand } from '../environment/child.js';
import type { BenchNode } from '../environment/cluster.js';
import { probePort } from '../environment/environment.js';
import { micros, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { StrategyName } from '../strategies.js';
import { fpingCost } from './fping.js';
import type { Bench } from './step.js';

/** The cost of one strategy to send a GET. */
interface StrategyCost {
  readonly cpuMsPerProbe: number;
  readonly failures: number;
}

const targetRatio = 1.4;
/** The agent sends GETs together if they are due within this time. */
const groupMs = 25;

/**
 * Compares the cost of the last measured agent with programs that only send as many probes. These
 * are fping and GETs on a bare `node:net` socket. The agent itself has ended.
 */
export async function measureFloor(
  bench: Bench,
  nodes: readonly BenchNode[],
  title: string,
): Promise<void> {
  const agent = bench.report.of('cost').at(-1);
  if (!agent) return;
  const [cpuShare, echoes, gets] = ['cpuShare', 'echoesPerSecond', 'getsPerSecond'].map((key) =>
    Number(agent[key]),
  ) as [number, number, number];
  const intervalMs = ((nodes.length * 2) / echoes) * 1000;
  const windowMs = bench.quick ? 4000 : 10_000;
  const ping = await fpingCost(bench, nodes, intervalMs, Math.max(windowMs, intervalMs));
  const group = Math.max(Math.round((gets * groupMs) / 1000), 1);
  const get = await runStrategy(bench, 'node:net', group, (group / gets) * 1000);
  const floorShare = (ping.cpuMsPerPing * echoes + get.cpuMsPerProbe * gets) / 1000;
  const ratio = cpuShare / floorShare;
  bench.report.add('floor', { nodes: nodes.length, cpuShare, floorShare, ratio, ping, get });
  bench.report.row({
    promise: `cost of probing against bare senders, ${title}`,
    target: `<= ${targetRatio} x`,
    figure: `${short(ratio)} x`,
    beside: `${percent(floorShare)} of a core: fping ${micros(ping.cpuMsPerPing * 1e6)} a ping, node:net ${short(get.cpuMsPerProbe)} ms a GET`,
    result: targetResult(ratio <= targetRatio),
  });
}

/** Runs one strategy in a process of its own: `group` GETs every `everyMs`. */
export async function runStrategy(
  { environment, programs, quick }: Bench,
  strategy: StrategyName,
  group: number,
  everyMs: number,
): Promise<StrategyCost> {
  const program = join(programs, 'http-strategy.mjs');
  const { output } = startCommand(environment.agentNamespace, [
    process.execPath,
    program,
    strategy,
    ...[probePort, group, everyMs, quick ? 2 : 4].map(String),
  ]);
  return JSON.parse((await output).stdout) as StrategyCost;
}
