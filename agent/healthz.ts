import { loadavg } from 'node:os';
import { formatDurationNs } from '../api/duration.js';
import type { Healthz } from '../api/schema/healthz.js';
import type { Problems } from './problems.js';

/** What the agent says of itself: uptime, the machine's load, and its own problems. */
export function healthzOf(problems: Problems): Healthz {
  const [last1min, last5min, last15min] = loadavg().map((load) => load.toFixed(2));
  const list = problems.list();
  return {
    uptime: formatDurationNs(Math.round(process.uptime() * 1e3) * 1e6),
    'system-load': {
      last1min: last1min ?? '',
      last5min: last5min ?? '',
      last15min: last15min ?? '',
    },
    cilium: { cilium: { state: list.length > 0 ? 'Warning' : 'Ok', msg: list.join('; ') } },
    problems: list,
  };
}
