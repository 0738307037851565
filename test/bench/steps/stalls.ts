import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import { startAgent, type Agent } from '../environment/agent.js';
import { clusterOf, nodesFileOf, type BenchNode } from '../environment/cluster.js';
import { ask } from '../environment/status.js';
import { count, duration, megabytes } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { logProgress } from '../progress.js';
import type { Bench } from './step.js';

const size = 20_000;
const churnShare = 0.1;
const targetMs = 50;
const targetBytes = 200e6;
/** An agent reports its longest stall of this time. */
const rememberedMs = 61_000;

/**
 * Measures the longest stall of the event loop while a large list arrives, changes and is read.
 */
export async function measureStalls(bench: Bench): Promise<void> {
  const nodes = clusterOf(size);
  logProgress(`${count(size)} nodes: stalls`);
  const agent = await startAgent(bench.environment, {
    program: bench.agentProgram,
    nodes,
    engine: 'kernel',
  });
  try {
    await untilListed(agent, size);
    await delay(5000);
    const arrivalMs = await longestStallMs(agent);
    await untilForgotten();
    await agent.status();
    const readMs = await longestStallMs(agent);
    await untilForgotten();
    await replaceFile(agent, churned(nodes));
    await delay(15_000);
    const churnMs = await longestStallMs(agent);
    const { privateBytes } = await agent.usage();
    bench.report.add('stalls', { nodes: size, arrivalMs, readMs, churnMs, privateBytes });
    bench.report.row({
      promise: `longest stall of the event loop, ${count(size)} nodes`,
      target: `<= ${duration(targetMs)}`,
      figure: `the list arrives: ${duration(arrivalMs)}; the whole status is read: ${duration(readMs)}; 10 % churn: ${duration(churnMs)}`,
      result: targetResult(Math.max(arrivalMs, readMs, churnMs) <= targetMs),
    });
    bench.report.row({
      promise: `private memory after that, ${count(size)} nodes`,
      target: `<= ${megabytes(targetBytes)}`,
      figure: megabytes(privateBytes),
      result: targetResult(privateBytes <= targetBytes),
    });
  } finally {
    await agent.stop();
  }
}

/** Replaces the last nodes by the same number of others. */
function churned(nodes: readonly BenchNode[]): readonly BenchNode[] {
  const kept = nodes.slice(0, nodes.length * (1 - churnShare));
  return [...kept, ...clusterOf(nodes.length * (1 + churnShare)).slice(nodes.length)];
}

/** Replaces the file atomically, as Kubernetes does with a ConfigMap's files. */
async function replaceFile({ nodesFile }: Agent, nodes: readonly BenchNode[]): Promise<void> {
  await writeFile(`${nodesFile}.new`, nodesFileOf(nodes));
  await rename(`${nodesFile}.new`, nodesFile);
}

async function untilListed(agent: Agent, nodes: number): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const { plan } = await healthOf(agent);
    if (plan?.icmp?.paths === nodes * 2) return;
    await delay(500);
  }
  throw new Error(`the list of ${nodes} nodes was not taken within a minute`);
}

function untilForgotten(): Promise<void> {
  return delay(rememberedMs);
}

async function longestStallMs(agent: Agent): Promise<number> {
  return (await healthOf(agent))['event-loop']?.['longest-stall-ms'] ?? NaN;
}

async function healthOf({ socketPath }: Agent): Promise<DaemonHealth> {
  const { body } = await ask(socketPath, '/v1beta/healthz');
  return JSON.parse(body.toString()) as DaemonHealth;
}
