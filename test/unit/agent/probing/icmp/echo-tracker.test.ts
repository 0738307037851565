import { describe, expect, test } from 'vitest';
import {
  cookieBytes,
  EchoLedger,
  sumOfCounts,
} from '../../../../../agent/probing/icmp/echo-tracker.js';

/** Sends the next echo, and returns its number and a copy of its cookie. */
function sendNext(ledger: EchoLedger) {
  const sequence = ledger.next();
  if (sequence === undefined) throw new Error('expected a free sequence number, got none');
  ledger.send(sequence);
  const cookie = Buffer.alloc(cookieBytes);
  ledger.writeCookie(sequence, cookie, 0);
  return { sequence, cookie };
}

describe('EchoLedger', () => {
  test('gives each echo a cookie of its own', () => {
    const ledger = new EchoLedger();
    const cookies = Array.from({ length: 2000 }, () => sendNext(ledger).cookie.toString('hex'));
    expect(new Set(cookies).size).toBe(2000);
    expect(cookies[0]).toHaveLength(2 * cookieBytes);
  });

  test('knows the cookie of an echo, and no other for it', () => {
    const ledger = new EchoLedger();
    const [first, second] = [sendNext(ledger), sendNext(ledger)];
    expect(ledger.carries(first.sequence, first.cookie)).toBe(true);
    expect(ledger.carries(first.sequence, second.cookie)).toBe(false);
    expect(ledger.carries(first.sequence, first.cookie.subarray(1))).toBe(false);
    expect(ledger.carries(first.sequence, Buffer.concat([first.cookie, Buffer.of(0)]))).toBe(false);
  });

  test('counts a second answer as duplicate, and one to a probe given up as late', () => {
    const ledger = new EchoLedger();
    const [answered, givenUp] = [sendNext(ledger), sendNext(ledger)];
    ledger.settle(answered.sequence, true);
    ledger.settle(givenUp.sequence, false);
    ledger.countUnexpected(answered.sequence, answered.cookie);
    ledger.countUnexpected(givenUp.sequence, givenUp.cookie);
    expect(ledger.counts).toEqual({
      ...{ sent: 2, answered: 1, late: 1, duplicate: 1, foreign: 0, dropped: 0 },
    });
  });

  test('counts as foreign what has a wrong cookie, was never sent, or came from elsewhere', () => {
    const ledger = new EchoLedger();
    const [answered, open] = [sendNext(ledger), sendNext(ledger)];
    ledger.settle(answered.sequence, true);
    ledger.countUnexpected(answered.sequence, Buffer.alloc(cookieBytes));
    ledger.countUnexpected((open.sequence + 1000) % 0x10000, Buffer.alloc(cookieBytes));
    ledger.countUnexpected(open.sequence, open.cookie);
    expect(ledger.counts).toMatchObject({ late: 0, duplicate: 0, foreign: 3 });
  });

  test('settles an echo once', () => {
    const ledger = new EchoLedger();
    const { sequence, cookie } = sendNext(ledger);
    ledger.settle(sequence, false);
    ledger.settle(sequence, true);
    expect(ledger.counts.answered).toBe(0);
    ledger.countUnexpected(sequence, cookie);
    expect(ledger.counts.late).toBe(1);
  });

  test('passes over numbers of open echoes when they come round again', () => {
    const ledger = new EchoLedger();
    const open = sendNext(ledger);
    const others = Array.from({ length: 0x10000 }, () => {
      const { sequence } = sendNext(ledger);
      ledger.settle(sequence, true);
      return sequence;
    });
    expect(others).not.toContain(open.sequence);
    expect(ledger.carries(open.sequence, open.cookie)).toBe(true);
  });

  test('gives out nothing more while half of all numbers are open', () => {
    const ledger = new EchoLedger();
    const sent = Array.from({ length: 0x8000 }, () => sendNext(ledger).sequence);
    expect(ledger.next()).toBeUndefined();
    ledger.settle(sent[0] ?? 0, false);
    expect(ledger.next()).toBeDefined();
  });

  test('sums the counts of both families', () => {
    const counts = { sent: 1, answered: 2, late: 3, duplicate: 4, foreign: 5, dropped: 6 };
    expect(sumOfCounts([counts, counts])).toEqual({
      ...{ sent: 2, answered: 4, late: 6, duplicate: 8, foreign: 10, dropped: 12 },
    });
    expect(sumOfCounts([])).toMatchObject({ sent: 0, dropped: 0 });
  });
});
