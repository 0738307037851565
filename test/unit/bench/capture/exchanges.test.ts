import { beforeEach, describe, expect, test } from 'vitest';
import { Exchanges, readExchanges, writeExchanges } from '../../../bench/capture/exchanges.js';
import type { Echo } from '../../../bench/capture/frame.js';

const echo = (kind: Echo['kind'], more: Partial<Echo> = {}): Echo => ({
  kind,
  address: 7,
  id: 1,
  sequence: 1,
  ...more,
});
const at = (seconds: number, nanoseconds: number) => ({ seconds, nanoseconds });

describe('Exchanges', () => {
  let exchanges: Exchanges;
  beforeEach(() => (exchanges = new Exchanges()));

  test('joins a request with its reply, to the nanosecond and across the full second', () => {
    exchanges.add(echo('request'), at(1_800_000_000, 999_999_000));
    exchanges.add(echo('reply'), at(1_800_000_001, 4_123));
    expect(exchanges.complete).toMatchObject([{ address: 7, id: 1, rttNs: 5_123 }]);
    expect(exchanges.complete[0]?.replyMs).toBeCloseTo(1_800_000_001_000.004, 3);
  });

  test.each([{ address: 8 }, { id: 2 }, { sequence: 2 }])(
    'joins nothing that differs by %o',
    (difference) => {
      exchanges.add(echo('request'), at(1, 0));
      exchanges.add(echo('reply', difference), at(1, 50));
      expect(exchanges.complete).toEqual([]);
    },
  );

  test('counts a reply once', () => {
    exchanges.add(echo('request'), at(1, 0));
    exchanges.add(echo('reply'), at(1, 50));
    exchanges.add(echo('reply'), at(1, 60));
    expect(exchanges.complete).toHaveLength(1);
  });

  test('goes by the newest request where a sequence number comes again', () => {
    exchanges.add(echo('request'), at(1, 0));
    exchanges.add(echo('request'), at(2, 0));
    exchanges.add(echo('reply'), at(2, 70));
    expect(exchanges.complete).toMatchObject([{ rttNs: 70 }]);
  });

  test('forgets the oldest of too many requests without a reply', () => {
    for (let address = 0; address <= 100_000; address++) {
      exchanges.add(echo('request', { address }), at(1, 0));
    }
    exchanges.add(echo('reply', { address: 0 }), at(1, 50));
    exchanges.add(echo('reply', { address: 1 }), at(1, 50));
    expect(exchanges.complete).toMatchObject([{ address: 1 }]);
  });
});

describe('readExchanges', () => {
  test('reads what writeExchanges wrote', () => {
    const exchanges = [
      { address: 3_323_068_417, id: 9, replyMs: 1_800_000_001_000.25, rttNs: 5_123 },
      { address: 1, id: 65_535, replyMs: 1, rttNs: -4 },
    ];
    expect(readExchanges(writeExchanges(exchanges))).toEqual(exchanges);
    expect(readExchanges('')).toEqual([]);
  });

  test.each(['1 2 3', '1 2 3 x', '1 2 3 4 5'])('refuses the line %o', (line) => {
    expect(() => readExchanges(`1 2 3 4\n${line}\n`)).toThrow(
      `expected four numbers of an exchange, got ${JSON.stringify(line)}`,
    );
  });
});
