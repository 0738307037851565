import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { costTargets, responderTarget, scaledShare } from '../cost-targets.js';
import { startAgent, untilSwept, type Agent } from '../environment/agent.js';
import { startPeer, type Peer } from '../environment/child.js';
import { clusterOf } from '../environment/cluster.js';
import { startMeshPeers, type MeshPeers } from '../environment/mesh-peers.js';
import { nodeStartCpuMs, usageOf, type Usage } from '../environment/process-usage.js';
import { startTargetResponder } from '../environment/target-responder.js';
import { logProgress } from '../progress.js';
import { costRow, type CostFigures } from '../report/cost-row.js';
import { count, megabytes, percent, short } from '../report/numbers.js';
import type { Bench } from './step.js';

const sizes = [1, 12, 100] as const;
/** Each cluster has a port of its own, because all agents run in one namespace. */
const firstPort = 4251;
const firstBarePort = 4261;
/** Between two starts of `node -e 0`. */
const nodeStartEveryMs = 2000;

/**
 * Measures agents of small clusters with the default settings, whose peers are agents, and a responder with targets.
 * Beside each agent stands a bare process that sends and answers as much: what Node and the kernel take in any
 * case. All run at once, so that one machine speed holds for all of them.
 */
export async function measureFootprint(bench: Bench): Promise<void> {
  const { report, quick } = bench;
  const stops: (() => Promise<void>)[] = [];
  try {
    logProgress('footprint: agents of small clusters, and a responder');
    const responder = await startTargetResponder(bench.agentProgram);
    stops.push(() => responder.stop());
    const agents: Agent[] = [];
    const bare: Peer[] = [];
    const bareProgram = join(bench.programs, 'bare-agent.mjs');
    for (const [index, size] of sizes.entries()) {
      const port = firstPort + index;
      const peers: MeshPeers = await startMeshPeers(bench, { size, port, mode: 'on' });
      stops.push(() => peers.stop());
      const agent = await startAgent(bench.environment, {
        program: bench.agentProgram,
        nodes: clusterOf(size),
        engine: 'kernel',
        flags: ['--probe-port', `${port}`],
      });
      stops.push(() => agent.stop());
      await untilSwept(agent, size, true);
      agents.push(agent);
      const barePort = firstBarePort + index;
      const askers = await startMeshPeers(bench, { size, port: barePort, mode: 'on' });
      stops.push(() => askers.stop());
      const { agentNamespace } = bench.environment;
      const command = [bareProgram, size, barePort] as const;
      const process = await startPeer(agentNamespace, command, 'the bare agent');
      stops.push(() => process.stop());
      bare.push(process);
    }
    // The code that runs often is compiled by then. After one minute it takes half as much again (docs/benchmarks.md).
    await delay(quick ? 20_000 : 180_000);
    const pids = [...agents, ...bare, responder].map(({ pid }) => pid);
    const figures = await figuresOf(pids, quick ? 15_000 : 60_000);
    for (const [index, size] of sizes.entries()) {
      const [cost, floor] = [figures[index], figures[sizes.length + index]] as [
        CostFigures,
        CostFigures,
      ];
      report.add('footprint', { nodes: size, ...cost, floor });
      const promise = `agent at rest, ${count(size)} ${size === 1 ? 'node' : 'nodes'}`;
      report.row(costRow(promise, cost, costTargets.get(size) ?? {}, [floorText(floor)]));
    }
    const cost = figures.at(-1) as CostFigures;
    report.add('footprint', { responder: true, targets: responder.targets, ...cost });
    const promise = `endpoint responder with ${responder.targets} targets`;
    report.row(costRow(promise, cost, responderTarget));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function floorText({ cpuShare, nodeStartMs, wakeUpsPerSecond, privateBytes }: CostFigures): string {
  const scaled = percent(scaledShare(cpuShare, nodeStartMs));
  const memory = megabytes(privateBytes);
  return `bare Node with as many probes: ${scaled}, ${short(wakeUpsPerSecond)} wake-ups/s, ${memory}`;
}

async function figuresOf(pids: readonly number[], windowMs: number): Promise<CostFigures[]> {
  const usages = () => Promise.all(pids.map((pid) => usageOf(pid)));
  const [startedMs, before] = [performance.now(), await usages()];
  const startsMs: number[] = [];
  while (performance.now() - startedMs < windowMs) {
    startsMs.push(await nodeStartCpuMs());
    await delay(nodeStartEveryMs);
  }
  const [after, elapsedMs] = [await usages(), performance.now() - startedMs];
  const nodeStartMs = startsMs.reduce((sum, ms) => sum + ms, 0) / startsMs.length;
  return after.map((usage, index) => {
    const { cpuMs, wakeUps } = before[index] as Usage;
    return {
      cpuShare: (usage.cpuMs - cpuMs) / elapsedMs,
      nodeStartMs,
      wakeUpsPerSecond: ((usage.wakeUps - wakeUps) / elapsedMs) * 1000,
      privateBytes: usage.privateBytes,
    };
  });
}
