import type { Settings } from './agents.js';

/** Hosts are assigned to these in turn: n1 and n4 are in zone-a, n2 and n5 in zone-b. */
export const threeZones = ['zone-a', 'zone-b', 'zone-c'];

/** The settings of an agent of a small cluster that is given none. */
export const defaults: Settings = {
  'icmp-interval': '1s',
  'http-interval': '5s',
  'probe-timeout': '1s',
};

/** Five times the default rate, for what takes many probes. */
export const frequent: Settings = {
  'icmp-interval': '200ms',
  'http-interval': '1s',
  'probe-timeout': '500ms',
};
