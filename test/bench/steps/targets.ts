import { logProgress } from '../progress.js';
import { count, duration, megabytes, percent } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { measureTargets } from '../targets.js';
import type { Bench } from './step.js';

const target = { share: 0.005, bytes: 3e6 };

/** Measures what sixteen targets cost an agent among 5,000, in this process and with nothing else running. */
export function measureTargetCosts({ report }: Bench): void {
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
}
