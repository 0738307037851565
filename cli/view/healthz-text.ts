import type { Healthz } from '../../api/schema/healthz.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';

/** The agent itself: uptime, load, and a line for each problem it knows of. */
export function renderHealthz(healthz: Healthz): string {
  const load = healthz['system-load'];
  return alignColumns([
    `Daemon uptime:\t${escapeText(healthz.uptime)}`,
    `Node load:\t${[load.last1min, load.last5min, load.last15min].map(escapeText).join(' ')}`,
    ...(healthz.problems ?? []).map((problem) => `Problem:\t${escapeText(problem)}`),
  ]);
}
