import { expect, test } from 'vitest';
import { Ledger, rememberedMs } from '../../../../agent/notices/ledger.js';

test('when the hour of a finding was announced is forgotten with what is known of it', () => {
  const ledger = new Ledger(() => undefined);
  ledger.announce('r1', 'node:c/n1', 7, 1000);
  expect(ledger.sent('r1', 'node:c/n1')).toMatchObject({ version: 0, hour: 7, announcedMs: 1000 });
  // The finding ended before anybody was told of it.
  ledger.expire([], 1000 + rememberedMs);
  expect(ledger.sent('r1', 'node:c/n1')).toBeDefined();
  ledger.expire([], 1001 + rememberedMs);
  expect(ledger.sent('r1', 'node:c/n1')).toBeUndefined();
});

test('what was announced is told on with nothing of this process', () => {
  const ledger = new Ledger(() => undefined);
  ledger.announce('r1', 'node:c/n1', 7, 1000);
  const [receiver] = ledger.row(['r1'], 2000);
  expect(receiver?.sent).toEqual([
    { digest: expect.any(Number) as number, version: 0, phase: 'closed', ageSeconds: 1, hour: 7 },
  ]);
});

test('failures count on while one message is tried, and not from an earlier outage', () => {
  const ledger = new Ledger(() => undefined);
  const failAt = (nowMs: number) => {
    ledger.begin('r1', nowMs);
    ledger.fail('r1', nowMs + 1000);
    return ledger.attempt('r1').failures;
  };
  expect([0, 10_000, 410_000].map(failAt)).toEqual([1, 2, 3]);
  // What was to be told has ended, and the receiver was told nothing for an hour.
  expect(failAt(4_000_000)).toBe(1);
});
