import { join } from 'node:path';
import { kubernetesFolder, whyNoKubernetes } from '../../../scripts/kubernetes-tools.js';
import { startCommand } from '../environment/child.js';
import type { KubernetesBytesFigures, TakenBytes } from '../kubernetes/bytes.js';
import { logProgress } from '../progress.js';
import { count, duration, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

const target = { share: 0.1, knownMs: 60_000 };

/** The mean time between two whole lists, in minutes: half an hour to an hour, and six to twelve hours. */
const listMinutes = { objects: 45, rows: 540 } as const;

/**
 * Measures what an agent takes from a real API server while kubelets report that nothing has changed:
 * nodes as rows, and whole.
 */
export async function measureKubernetesBytes(bench: Bench, nodes: number): Promise<void> {
  const { environment: ground, programs, report, quick } = bench;
  const reason = whyNoKubernetes();
  if (reason !== undefined) {
    report.skip(`kubernetes-bytes, ${count(nodes)} nodes`, reason);
    return;
  }
  logProgress(`a real API server with ${count(nodes)} nodes`);
  const { output } = startCommand(ground.agentNamespace, [
    process.execPath,
    join(programs, 'kubernetes-bytes.mjs'),
    ...[kubernetesFolder, String(nodes), quick ? '30' : '120'],
  ]);
  const figures = JSON.parse((await output).stdout) as KubernetesBytesFigures;
  report.add('kubernetes-bytes', { ...figures });
  const { rows, objects, reportsPerMinute } = figures;
  const perMinute = (taken: TakenBytes, form: 'rows' | 'objects') =>
    taken.perMinute + taken.list / listMinutes[form];
  const [asRows, whole] = [perMinute(rows, 'rows'), perMinute(objects, 'objects')];
  const kilobytes = (bytes: number) => `${short(bytes / 1000)} KB`;
  report.row({
    promise: `bytes that an agent takes from the API server, ${count(nodes)} nodes`,
    target: `<= ${percent(target.share)} of whole Nodes; a change known within ${duration(target.knownMs)}`,
    figure: `${kilobytes(asRows)} a minute, ${percent(asRows / whole)}; a change known after ${duration(rows.knownMs)}`,
    beside: `whole: ${kilobytes(whole)} a minute, known after ${duration(objects.knownMs)}; ${short(reportsPerMinute)} reports a minute; a list has ${kilobytes(rows.list)} and is in both: every ${listMinutes.rows / 60} h, and every ${listMinutes.objects} min`,
    result: targetResult(
      rows.form === 'rows',
      asRows <= target.share * whole,
      rows.knownMs <= target.knownMs,
    ),
  });
}
