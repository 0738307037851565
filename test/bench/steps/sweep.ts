import { ask } from '../environment/status.js';
import { count, duration } from '../report/numbers.js';
import { summarise } from '../statistics.js';
import type { Stage } from './step.js';

/** Measures the time from a request to probe every path to its answer. */
export async function measureSweep(stage: Stage): Promise<void> {
  const { agent, nodes, deadShare, quick, report, title } = stage;
  const sweepsMs: number[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const startedMs = performance.now();
    const { status, body } = await ask(agent.socketPath, '/v1beta/status/probe', { method: 'PUT' });
    if (status !== 200) throw new Error(`PUT /v1beta/status/probe: ${status} ${body.toString()}`);
    sweepsMs.push(performance.now() - startedMs);
  }
  report.add('sweep', { nodes: nodes.length, deadShare, sweepsMs });
  const { median, max } = summarise(sweepsMs);
  report.row({
    promise: `PUT /v1beta/status/probe, ${title}`,
    figure: `median ${duration(median)}, max ${duration(max)}`,
    beside: `${count(nodes.length * 4)} probes, and what confirms the dead ones`,
  });
}
