import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCapture } from '../capture/capture.js';
import { pairInOrder } from '../capture/in-order.js';
import type { Paired } from '../capture/pairing.js';
import { startCommand, type Command } from '../environment/child.js';
import { addressesOf, type BenchNode } from '../environment/cluster.js';
import { countersOf } from '../environment/counters.js';
import { threadCpuMs } from '../environment/process-usage.js';
import { readFping, readPing } from '../ping-output.js';
import { micros, percent } from '../report/numbers.js';
import { summarise, type Summary } from '../statistics.js';
import { errorText } from './rtt.js';
import type { Bench } from './step.js';

interface Accuracy {
  readonly error: Summary;
  readonly reported: Summary;
}

interface Cost {
  readonly cpuMsPerPing: number;
  readonly cpuShare: number;
}

const sampleEveryMs = 250;

/** Measures fping and ping at the agent's pacing for as many nodes. The agent itself has ended. */
export async function measureTools(
  bench: Bench,
  nodes: readonly BenchNode[],
  intervalMs: number,
  title: string,
): Promise<void> {
  const windowMs = bench.quick ? 3000 : 6000;
  const fping = {
    ...(await fpingAccuracy(bench, nodes, intervalMs, windowMs)),
    ...(await fpingCost(bench, nodes, intervalMs, windowMs)),
  };
  const spacingMs = intervalMs / (nodes.length * 2);
  const ping = await runPing(bench, nodes[1]?.host ?? '', spacingMs, windowMs / 2);
  bench.report.add('fping', { nodes: nodes.length, spacingMs, fping, ping });
  bench.report.row({
    promise: `ping at that pacing, ${title}`,
    figure: `error ${errorText(ping.error)}`,
    beside: `reported median ${micros(ping.reported.median)}`,
  });
  bench.report.row({
    promise: `fping of those addresses at that pacing, ${title}`,
    figure: `error ${errorText(fping.error)}`,
    beside: `reported median ${micros(fping.reported.median)}; ${percent(fping.cpuShare)} of a core, ${micros(fping.cpuMsPerPing * 1e6)} a ping`,
  });
}

/** The cost of fping when it pings both addresses of every node once per interval. */
export async function fpingCost(
  bench: Bench,
  nodes: readonly BenchNode[],
  intervalMs: number,
  windowMs: number,
): Promise<Cost> {
  const { responder } = bench.environment;
  // No capture runs meanwhile, because its cost would count as fping's.
  const { pid, output } = await startFping(bench, nodes, intervalMs, windowMs);
  const samples = await sampleWhile(output, async () => ({
    ms: performance.now(),
    cpuMs: await threadCpuMs(pid),
    echoes: (await countersOf(responder.pid)).echoes,
  }));
  await output;
  // The work before the first packet and during the output is not part of a ping's cost.
  const [first, last] = [samples[1], samples.at(-2)];
  if (!first || !last) throw new Error('fping ended before its cost could be read');
  const cpuMs = last.cpuMs - first.cpuMs;
  return {
    cpuMsPerPing: cpuMs / (last.echoes - first.echoes),
    cpuShare: cpuMs / (last.ms - first.ms),
  };
}

async function fpingAccuracy(
  bench: Bench,
  nodes: readonly BenchNode[],
  intervalMs: number,
  windowMs: number,
): Promise<Accuracy> {
  const capture = await startCapture(bench.programs, bench.environment.agentNamespace);
  const { output } = await startFping(bench, nodes, intervalMs, windowMs);
  const { stderr } = await output;
  return accuracyOf(pairInOrder(readFping(stderr), (await capture.stop()).exchanges));
}

async function startFping(
  { environment: ground }: Bench,
  nodes: readonly BenchNode[],
  intervalMs: number,
  windowMs: number,
): Promise<Command> {
  const targets = join(ground.folder, 'fping-targets');
  await writeFile(targets, addressesOf(nodes).join('\n'));
  const spacing = (intervalMs / (nodes.length * 2)).toFixed(3);
  const rounds = Math.max(Math.round(windowMs / intervalMs), 1);
  const flags = ['-q', '-C', `${rounds}`, '-i', spacing, '-p', intervalMs.toFixed(0), '-t', '1000'];
  return startCommand(ground.agentNamespace, ['fping', ...flags, '-f', targets], [0, 1]);
}

async function runPing(
  { environment: ground, programs }: Bench,
  ip: string,
  spacingMs: number,
  windowMs: number,
): Promise<Accuracy> {
  const capture = await startCapture(programs, ground.agentNamespace);
  const [spacing, rounds] = [(spacingMs / 1000).toFixed(3), Math.round(windowMs / spacingMs)];
  const { output } = startCommand(ground.agentNamespace, [
    'ping',
    '-n',
    '-c',
    `${rounds}`,
    '-i',
    spacing,
    ip,
  ]);
  const { stdout } = await output;
  return accuracyOf(pairInOrder(readPing(stdout), (await capture.stop()).exchanges));
}

async function sampleWhile<T>(end: Promise<unknown>, sample: () => Promise<T>): Promise<T[]> {
  const samples: T[] = [];
  const state = { isOver: false };
  const finish = (): void => {
    state.isOver = true;
  };
  const done = end.then(finish, finish);
  while (!state.isOver) {
    // The process may end between the check and the reading.
    const taken = await sample().catch(() => undefined);
    if (taken) samples.push(taken);
    await Promise.race([delay(sampleEveryMs), done]);
  }
  return samples;
}

function accuracyOf(pairs: readonly Paired[]): Accuracy {
  return {
    error: summarise(pairs.map(({ reportedNs, deviceNs }) => Math.abs(reportedNs - deviceNs))),
    reported: summarise(pairs.map(({ reportedNs }) => reportedNs)),
  };
}
