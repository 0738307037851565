// This is a file of its own, so that the CLI has the list without loading the schemas.

/**
 * What a host can show of itself that is bad by a stated rule. Rows have the place in this list, so it only grows at
 * its end. A reader treats any other one as `other`.
 */
export const hostSigns = [
  'conntrack-full',
  'conntrack-drops',
  'neighbours-full',
  'softnet-drops',
  'interface-errors',
  'interface-drops',
  'carrier-flaps',
  'link-speed',
  'listen-overflows',
  'tcp-retransmissions',
  'udp-buffer-drops',
  'fragment-failures',
  'ports-exhausted',
  'cpu-pressure',
  'cpu-throttled',
  'memory-pressure',
  'clock-offset',
  'icmp-limited',
] as const;
export type HostSign = (typeof hostSigns)[number];
