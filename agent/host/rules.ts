import type { HostSign } from '../model/row-host.js';

/**
 * A counter is a sign while it grew by at least so many in the last minute, and by so many times what is usual on
 * that host.
 */
export interface RateRule {
  readonly perMinute: number;
  readonly timesUsual: number;
}

/** A table is a sign while at least this share of it is taken. It ends five hundredths below. */
export interface LevelRule {
  readonly share: number;
}

export type SignRule = RateRule | LevelRule;

/** When a figure is a sign. Those that every host has now and then are no sign. */
export const signRules: Readonly<Partial<Record<HostSign, SignRule>>> = {
  'conntrack-full': { share: 0.9 },
  'conntrack-drops': { perMinute: 10, timesUsual: 3 },
  'interface-errors': { perMinute: 10, timesUsual: 3 },
  // A frame of a protocol that the host does not speak counts as dropped: some a minute are usual.
  'interface-drops': { perMinute: 100, timesUsual: 3 },
};
