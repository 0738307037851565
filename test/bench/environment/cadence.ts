import type { Protocol } from '../../../agent/model/sample.js';

/** How often each path is probed, per protocol, in milliseconds. */
export type Cadence = Readonly<Record<Protocol, number>>;

const shortestMs: Cadence = { icmp: 1000, http: 5000 };
const budgetPerSecond: Cadence = { icmp: 250, http: 40 };

/** The default cadence: the shortest interval until the budget is reached, longer beyond it. */
export function defaultCadence(paths: number): Cadence {
  const of = (protocol: Protocol): number =>
    Math.max(shortestMs[protocol], (paths / budgetPerSecond[protocol]) * 1000);
  return { icmp: of('icmp'), http: of('http') };
}
