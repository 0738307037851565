import { expect, test } from 'vitest';
import type { ThroughputDirection } from '../../../../api/schema/v1/throughput.js';
import { createThroughputView } from '../../../../cli/view/throughput-text.js';

const direction: ThroughputDirection = {
  plane: 'host',
  address: '192.0.2.1',
  direction: 'to',
  bytes: 1_000_000,
  seconds: 0.001,
  bitsPerSecond: 8_000_000_000,
  endedBy: 'bytes',
};

test('a rate that was measured for too short is not told', () => {
  const view = createThroughputView();
  expect(view({ type: 'direction', ...direction })).toContain('8 Gbit/s   1 MB in 0.001 s\n');
  const short = view({ type: 'direction', ...direction, isTooShort: true });
  expect(short).not.toContain('bit/s');
  expect(short).toContain('too short   1 MB in 0.001 s: give more by --limit or --for\n');
});
