import { setTimeout as delay } from 'node:timers/promises';
import { costTargets } from '../cost-targets.js';
import { countersOf } from '../environment/counters.js';
import { nodeStartCpuMs, usageOf } from '../environment/process-usage.js';
import { costRow } from '../report/cost-row.js';
import { count, megabytes, percent, short } from '../report/numbers.js';
import type { Stage } from './step.js';

/** Measures processor and memory of the agent while it only probes, and of the responder. */
export async function measureCost(stage: Stage): Promise<void> {
  const { agent, environment: ground, report, quick, title, nodes, deadShare } = stage;
  const { pid } = ground.responder;
  const read = async () => ({
    ms: performance.now(),
    agent: await agent.usage(),
    responder: await usageOf(pid),
    counters: await countersOf(pid),
  });
  const before = await read();
  let mostBytes = before.agent.privateBytes;
  let nodeStartMs = 0;
  const rounds = quick ? 4 : 10;
  for (let round = 0; round < rounds; round++) {
    await delay(2000);
    nodeStartMs += (await nodeStartCpuMs()) / rounds;
    mostBytes = Math.max(mostBytes, (await agent.usage()).privateBytes);
  }
  const after = await read();
  const windowMs = after.ms - before.ms;
  const cpuShare = (after.agent.cpuMs - before.agent.cpuMs) / windowMs;
  const responderShare = (after.responder.cpuMs - before.responder.cpuMs) / windowMs;
  const echoesPerSecond = ((after.counters.echoes - before.counters.echoes) / windowMs) * 1000;
  const getsPerSecond =
    ((after.counters.connections - before.counters.connections) / windowMs) * 1000;
  const wakeUpsPerSecond = ((after.agent.wakeUps - before.agent.wakeUps) / windowMs) * 1000;
  const { residentBytes, peakBytes } = after.agent;
  report.add('cost', {
    nodes: nodes.length,
    deadShare,
    windowMs,
    cpuShare,
    nodeStartMs,
    wakeUpsPerSecond,
    residentBytes,
    mostBytes,
    peakBytes,
    echoesPerSecond,
    getsPerSecond,
    responderShare,
    responderPeakBytes: after.responder.peakBytes,
  });
  const figures = { cpuShare, nodeStartMs, wakeUpsPerSecond, privateBytes: mostBytes };
  const target = deadShare === 0 ? costTargets.get(nodes.length) : undefined;
  report.row(
    costRow(`cost of probing, ${title}`, figures, target ?? {}, [
      `answered: ${count(echoesPerSecond)} echoes/s, ${count(getsPerSecond)} GETs/s`,
      `resident ${megabytes(residentBytes)}, peak ${megabytes(peakBytes)}`,
    ]),
  );
  if (nodes.length === 5000 && deadShare === 0) {
    report.row({
      promise: 'cost of answering the GETs of 5,000 others',
      figure: `${percent(responderShare)}, ${megabytes(after.responder.residentBytes)}`,
      beside: `${short((responderShare * 1000) / getsPerSecond)} ms a GET at ${count(getsPerSecond)}/s`,
    });
  }
}
