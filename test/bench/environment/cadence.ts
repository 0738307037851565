import type { Protocol } from '../../../agent/model/sample.js';

/** The interval between two probes of a path in milliseconds, for each protocol. */
export type Cadence = Readonly<Record<Protocol, number>>;

const shortestMs: Cadence = { icmp: 1000, http: 5000 };
const budgetPerSecond: Cadence = { icmp: 250, http: 40 };

/**
 * The default cadence. The interval is the shortest one until the budget is reached, then it grows.
 */
export function defaultCadence(paths: number): Cadence {
  const of = (protocol: Protocol): number =>
    Math.max(shortestMs[protocol], (paths / budgetPerSecond[protocol]) * 1000);
  return { icmp: of('icmp'), http: of('http') };
}
