import { measureHttpsTarget } from '../https-target.js';
import { logProgress } from '../progress.js';
import { count, duration, megabytes, micros, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { whyMissing } from '../requirements.js';
import { measureTargets } from '../targets.js';
import type { Bench } from './step.js';

const target = { share: 0.005, bytes: 3e6, timesCurl: 1.2 };

/** Measures what sixteen targets cost an agent among 5,000, in this process, and how true the RTT of one by HTTPS is. */
export async function measureTargetCosts({ report, tools }: Bench): Promise<void> {
  logProgress('targets: what sixteen cost at 5,000 nodes');
  const costs = measureTargets();
  const { nodes, targets, share, calmShare, bytes, receivedRowMs, ownRowMs, endpointMs } = costs;
  report.add('targets', { ...costs });
  report.row({
    promise: `${targets} targets at ${count(nodes)} nodes, beside the probes themselves`,
    target: `<= ${percent(target.share)} of a core, <= ${megabytes(target.bytes)}`,
    figure: `${percent(share)} of a core while every row changes, ${percent(calmShare)} in calm; ${megabytes(bytes)}`,
    beside: `processor time: a row of a peer ${duration(receivedRowMs)}, the own row ${duration(ownRowMs)}, an answer of the endpoint ${duration(endpointMs)}`,
    result: targetResult(share <= target.share, bytes <= target.bytes),
  });
  const missing = ['curl', 'openssl'].find((tool) => !tools.has(tool));
  if (missing !== undefined) {
    report.skip('RTT of an HTTPS target', whyMissing(missing));
    return;
  }
  logProgress('targets: the RTT of one by HTTPS, beside curl');
  const { agent, curl } = await measureHttpsTarget();
  report.add('targets', { agent, curl });
  const times = agent.median / curl.median;
  report.row({
    promise: 'RTT of an HTTPS target, median',
    target: `<= ${short(target.timesCurl)} x curl`,
    figure: `${micros(agent.median)} = ${short(times)} x, p99 ${micros(agent.p99)}`,
    beside: `curl: ${micros(curl.median)}, p99 ${micros(curl.p99)}`,
    result: targetResult(times <= target.timesCurl),
  });
}
