import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCommand, type Command } from '../environment/child.js';
import { addressesOf, type BenchNode } from '../environment/cluster.js';
import { countersOf } from '../environment/counters.js';
import { threadCpuMs } from '../environment/process-usage.js';
import type { Bench } from './step.js';

interface Cost {
  readonly cpuMsPerPing: number;
  readonly cpuShare: number;
}

const sampleEveryMs = 250;

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
