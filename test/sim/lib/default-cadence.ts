import { settings } from '../../../agent/config/settings.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Cadence } from '../../../agent/probing/schedule/plan.js';

/** How an agent probes if nothing is set. */
export const defaultCadence: Readonly<Record<Protocol, Cadence>> = {
  icmp: cadence('icmp'),
  http: cadence('http'),
};

/** The most probes a second of one target by all agents together. */
export const targetBudget = read('target-budget');

function cadence(protocol: Protocol): Cadence {
  return {
    intervalMs: read(`${protocol}-interval`),
    budgetPerSecond: read(`${protocol}-budget`),
    timeoutMs: read('probe-timeout'),
    failureThreshold: read(`${protocol}-failure-threshold`),
    recoveryThreshold: read('recovery-threshold'),
  };
}

function read(name: keyof typeof settings): number {
  const { schema, default: value } = settings[name] as {
    readonly schema: { readonly parse: (value: unknown) => unknown };
    readonly default?: string;
  };
  return Number(schema.parse(value));
}
