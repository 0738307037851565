import type { RowChange, RowSign } from '../../agent/model/row-host.js';

/** What a row tells of a change on its host: the MTU of an interface, if nothing else is said. */
export const makeChange = (more: Partial<RowChange> = {}): RowChange => ({
  change: 'interface-mtu',
  ageSeconds: 80,
  withinSeconds: 10,
  about: 'eth0',
  from: '1500',
  to: '1400',
  ...more,
});

/** What a row tells of a sign at its host: a full table of connections, if nothing else is said. */
export const makeSign = (more: Partial<RowSign> = {}): RowSign => ({
  sign: 'conntrack-full',
  plane: 'host',
  ageSeconds: 70,
  value: 10,
  limit: 10,
  about: '',
  ...more,
});
