import { expect, test } from 'vitest';
import { RecentTests } from '../../../../../agent/path-tests/throughput/recent-tests.js';
import type { ThroughputLine } from '../../../../../api/schema/v1/throughput.js';

test('remembers of a direction all that its line says', async () => {
  const measured = {
    plane: 'host',
    address: '192.0.2.2',
    direction: 'to',
    bytes: 1e6,
    seconds: 0.0004,
    isTooShort: true,
    bitsPerSecond: 2e10,
    endedBy: 'bytes',
    retransmissions: 1,
  } as const;
  const lines: ThroughputLine[] = [
    {
      type: 'begin',
      test: 'throughput',
      node: 'c/n2',
      planes: ['host'],
      seconds: 1,
      bytes: 1e6,
      streams: 2,
    },
    { type: 'direction', ...measured },
    { type: 'end' },
  ];
  const recent = new RecentTests();
  const passedOn: ThroughputLine[] = [];
  for await (const line of recent.keep(oneByOne(lines), '2026-11-29T10:00:00Z')) {
    passedOn.push(line);
  }
  expect(passedOn).toEqual(lines);
  expect(recent.tests.map(({ directions }) => directions)).toEqual([[measured]]);
});

// eslint-disable-next-line @typescript-eslint/require-await -- the lines of a real test come later
async function* oneByOne(lines: readonly ThroughputLine[]): AsyncGenerator<ThroughputLine> {
  yield* lines;
}
