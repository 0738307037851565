import { setTimeout as delay } from 'node:timers/promises';
import { countersOf } from '../environment/counters.js';
import { usageOf } from '../environment/process-usage.js';
import { count, megabytes, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Stage } from './step.js';

const target = { cpuShare: 0.05, residentBytes: 120e6 };

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
  let mostBytes = before.agent.residentBytes;
  for (let seconds = 0; seconds < (quick ? 8 : 20); seconds += 2) {
    await delay(2000);
    mostBytes = Math.max(mostBytes, (await agent.usage()).residentBytes);
  }
  const after = await read();
  const windowMs = after.ms - before.ms;
  const cpuShare = (after.agent.cpuMs - before.agent.cpuMs) / windowMs;
  const responderShare = (after.responder.cpuMs - before.responder.cpuMs) / windowMs;
  const echoesPerSecond = ((after.counters.echoes - before.counters.echoes) / windowMs) * 1000;
  const getsPerSecond =
    ((after.counters.connections - before.counters.connections) / windowMs) * 1000;
  const { residentBytes, peakBytes } = after.agent;
  report.add('cost', {
    nodes: nodes.length,
    deadShare,
    windowMs,
    cpuShare,
    residentBytes,
    mostBytes,
    peakBytes,
    echoesPerSecond,
    getsPerSecond,
    responderShare,
    responderPeakBytes: after.responder.peakBytes,
  });
  report.row({
    promise: `cost of probing, ${title}`,
    target: '<= 5 % of a core, <= 120 MB',
    figure: `${percent(cpuShare)}, ${megabytes(mostBytes)}`,
    beside: `answered: ${count(echoesPerSecond)} echoes/s, ${count(getsPerSecond)} GETs/s; peak ${megabytes(peakBytes)}`,
    result: targetResult(cpuShare <= target.cpuShare, mostBytes <= target.residentBytes),
  });
  if (nodes.length === 5000 && deadShare === 0) {
    report.row({
      promise: 'cost of answering the GETs of 5,000 others',
      figure: `${percent(responderShare)}, ${megabytes(after.responder.residentBytes)}`,
      beside: `${short((responderShare * 1000) / getsPerSecond)} ms a GET at ${count(getsPerSecond)}/s`,
    });
  }
}
