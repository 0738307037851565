import type { HostSign } from '../model/row-host.js';

/**
 * A counter is a sign while it grew by at least so many in the last minute, and by so many times what is usual on
 * that host.
 */
export interface RateRule {
  readonly perMinute: number;
  readonly timesUsual: number;
  /** It is a sign only where it is this share of what it is a part of. */
  readonly leastShare?: number;
}

/** A table is a sign while at least this share of it is taken. It ends five hundredths below. */
export interface LevelRule {
  readonly share: number;
}

/** A figure is a sign from that height on, until it is below the other one. */
export interface ThresholdRule {
  readonly from: number;
  readonly endsBelow: number;
}

/** Something is a sign while it is lower than it was at some time since the agent started. */
export interface DropRule {
  readonly below: 'highest';
}

export type SignRule = RateRule | LevelRule | DropRule | ThresholdRule;

/** From so much on a clock is a sign: databases that order by time stop at about as much. */
export const clockOffsetLimitMs = 500;

/** When a figure is a sign. Those that every host has now and then are no sign. */
export const signRules: Readonly<Partial<Record<HostSign, SignRule>>> = {
  'conntrack-full': { share: 0.9 },
  'neighbours-full': { share: 0.9 },
  'softnet-drops': { perMinute: 10, timesUsual: 3 },
  'link-speed': { below: 'highest' },
  'carrier-flaps': { perMinute: 4, timesUsual: 3 },
  'listen-overflows': { perMinute: 10, timesUsual: 3 },
  'tcp-retransmissions': { perMinute: 100, timesUsual: 3, leastShare: 0.05 },
  'udp-buffer-drops': { perMinute: 10, timesUsual: 3 },
  'fragment-failures': { perMinute: 10, timesUsual: 3 },
  'icmp-limited': { perMinute: 100, timesUsual: 3 },
  'clock-offset': { from: clockOffsetLimitMs, endsBelow: clockOffsetLimitMs / 2 },
  'ports-exhausted': { from: 3, endsBelow: 1 },
  // Hundredths of the last minute.
  'cpu-pressure': { share: 0.8 },
  'memory-pressure': { share: 0.1 },
  // A limit that is too small is so from the start, and what is usual then is no better for it.
  'cpu-throttled': { perMinute: 30, timesUsual: 0, leastShare: 0.1 },
  'conntrack-drops': { perMinute: 10, timesUsual: 3 },
  'interface-errors': { perMinute: 10, timesUsual: 3 },
  // A frame of a protocol that the host does not speak counts as dropped: some a minute are usual.
  'interface-drops': { perMinute: 100, timesUsual: 3 },
};
