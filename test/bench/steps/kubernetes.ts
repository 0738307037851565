import { join } from 'node:path';
import { startCommand } from '../environment/child.js';
import type { KubernetesListFigures } from '../kubernetes-list.js';
import { count, duration, megabytes } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { logProgress } from '../progress.js';
import { median } from '../statistics.js';
import type { Bench } from './step.js';

const target = { blockMs: 40, heapBytes: 15e6 };

/**
 * Measures the cost of listing a large Kubernetes cluster. Each round runs in a process of its own.
 */
export async function measureKubernetes({
  environment: ground,
  programs,
  report,
  quick,
}: Bench): Promise<void> {
  const rounds: KubernetesListFigures[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    logProgress('listing a Kubernetes cluster');
    const { output } = startCommand(ground.agentNamespace, [
      process.execPath,
      join(programs, 'kubernetes-list.mjs'),
      join(programs, 'api-server.mjs'),
    ]);
    rounds.push(JSON.parse((await output).stdout) as KubernetesListFigures);
  }
  for (const figures of rounds) report.add('kubernetes', { ...figures });
  const typical = (pick: (figures: KubernetesListFigures) => number) => median(rounds.map(pick));
  const blockMs = typical(({ longestBlockMs }) => longestBlockMs);
  const heapBytes = typical(({ heapKeptBytes }) => heapKeptBytes);
  report.row({
    promise: `listing ${count(typical(({ nodes }) => nodes))} Kubernetes nodes of 13 KB`,
    target: `blocks <= ${duration(target.blockMs)}, keeps <= ${megabytes(target.heapBytes)}`,
    figure: `longest block ${duration(blockMs)}, keeps ${megabytes(heapBytes)}`,
    beside: `took ${duration(typical(({ durationMs }) => durationMs))}; without a list the machine blocks ${duration(typical(({ machineBlockMs }) => machineBlockMs))}; peak ${megabytes(typical(({ peakRssBytes }) => peakRssBytes))} resident`,
    result: targetResult(blockMs <= target.blockMs, heapBytes <= target.heapBytes),
  });
}
