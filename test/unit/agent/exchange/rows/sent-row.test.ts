import { expect, test } from 'vitest';
import { SentRow } from '../../../../../agent/exchange/rows/sent-row.js';
import { VirtualClock } from '../../../../sim/lib/virtual-clock.js';
import { wellRow } from '../lib/rows.js';

test('a row that took time to write has no age below zero: peers refuse one', () => {
  const clock = new VirtualClock();
  const sent = new SentRow({
    clock,
    processId: 'p',
    ownRow: () => {
      clock.runUntil(clock.nowMs() + 20);
      return { row: wellRow(), sent: wellRow(), writtenMs: clock.nowMs() };
    },
  });
  expect(sent.current().ageMs).toBe(0);
  clock.runUntil(clock.nowMs() + 5);
  expect(sent.current().ageMs).toBe(5);
});
