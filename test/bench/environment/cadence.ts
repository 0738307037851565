import type { Protocol } from '../../../agent/model/sample.js';
import { intervalMsOf } from '../../../agent/probing/schedule/plan.js';

/** The interval between two probes of a path in milliseconds, for each protocol. */
export type Cadence = Readonly<Record<Protocol, number>>;

const cadences = {
  icmp: { intervalMs: 1000, budgetPerSecond: 250 },
  http: { intervalMs: 5000, budgetPerSecond: 40 },
} as const;

/** The default cadence for a number of paths. */
export function defaultCadence(paths: number): Cadence {
  return { icmp: intervalMsOf(cadences.icmp, paths), http: intervalMsOf(cadences.http, paths) };
}
