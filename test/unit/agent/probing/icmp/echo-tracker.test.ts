import { beforeEach, describe, expect, test } from 'vitest';
import {
  cookieBytes,
  EchoTracker,
  sumOfCounts,
} from '../../../../../agent/probing/icmp/echo-tracker.js';

/** Sends the next echo, and returns its number and a copy of its cookie. */
function sendNext(tracker: EchoTracker) {
  const sequence = tracker.next();
  if (sequence === undefined) throw new Error('expected a free sequence number, got none');
  tracker.send(sequence);
  const cookie = Buffer.alloc(cookieBytes);
  tracker.writeCookie(sequence, cookie, 0);
  return { sequence, cookie };
}

describe('EchoTracker', () => {
  let tracker: EchoTracker;
  beforeEach(() => (tracker = new EchoTracker()));

  test('gives each echo a cookie of its own', () => {
    const cookies = Array.from({ length: 2000 }, () => sendNext(tracker).cookie.toString('hex'));
    expect(new Set(cookies).size).toBe(2000);
    expect(cookies[0]).toHaveLength(2 * cookieBytes);
  });

  test('accepts only the cookie of the echo', () => {
    const [first, second] = [sendNext(tracker), sendNext(tracker)];
    expect(tracker.carries(first.sequence, first.cookie)).toBe(true);
    expect(tracker.carries(first.sequence, second.cookie)).toBe(false);
    expect(tracker.carries(first.sequence, first.cookie.subarray(1))).toBe(false);
    expect(tracker.carries(first.sequence, Buffer.concat([first.cookie, Buffer.of(0)]))).toBe(
      false,
    );
  });

  test('counts a second answer as duplicate, and one to a probe given up as late', () => {
    const [answered, givenUp] = [sendNext(tracker), sendNext(tracker)];
    tracker.settle(answered.sequence, true);
    tracker.settle(givenUp.sequence, false);
    tracker.countUnexpected(answered.sequence, answered.cookie);
    tracker.countUnexpected(givenUp.sequence, givenUp.cookie);
    expect(tracker.counts).toEqual({
      sent: 2,
      answered: 1,
      late: 1,
      duplicate: 1,
      foreign: 0,
      dropped: 0,
    });
  });

  test('counts a reply as foreign if its cookie is wrong, its echo was never sent, or its source is another', () => {
    const [answered, open] = [sendNext(tracker), sendNext(tracker)];
    tracker.settle(answered.sequence, true);
    tracker.countUnexpected(answered.sequence, Buffer.alloc(cookieBytes));
    tracker.countUnexpected((open.sequence + 1000) % 0x10000, Buffer.alloc(cookieBytes));
    tracker.countUnexpected(open.sequence, open.cookie);
    expect(tracker.counts).toMatchObject({ late: 0, duplicate: 0, foreign: 3 });
  });

  test('settles an echo once', () => {
    const { sequence, cookie } = sendNext(tracker);
    tracker.settle(sequence, false);
    tracker.settle(sequence, true);
    expect(tracker.counts.answered).toBe(0);
    tracker.countUnexpected(sequence, cookie);
    expect(tracker.counts.late).toBe(1);
  });

  test('skips the numbers of open echoes when the numbers wrap', () => {
    const open = sendNext(tracker);
    const others = Array.from({ length: 0x10000 }, () => {
      const { sequence } = sendNext(tracker);
      tracker.settle(sequence, true);
      return sequence;
    });
    expect(others).not.toContain(open.sequence);
    expect(tracker.carries(open.sequence, open.cookie)).toBe(true);
  });

  test('starts no echo while half of all numbers are open', () => {
    const sent = Array.from({ length: 0x8000 }, () => sendNext(tracker).sequence);
    expect(tracker.next()).toBeUndefined();
    tracker.settle(sent[0] ?? 0, false);
    expect(tracker.next()).toBeDefined();
  });

  test('sums the counts of both families', () => {
    const counts = { sent: 1, answered: 2, late: 3, duplicate: 4, foreign: 5, dropped: 6 };
    expect(sumOfCounts([counts, counts])).toEqual({
      sent: 2,
      answered: 4,
      late: 6,
      duplicate: 8,
      foreign: 10,
      dropped: 12,
    });
    expect(sumOfCounts([])).toMatchObject({ sent: 0, dropped: 0 });
  });
});
