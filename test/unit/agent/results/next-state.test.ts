import { describe, expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { initialState, type PathState } from '../../../../agent/model/path-state.js';
import { nextState } from '../../../../agent/results/next-state.js';
import { answered, lost } from '../../../rows/make-store.js';

const reply = (sentMs: number, rttNs = 1000): Sample => ({
  ...answered,
  sentMs,
  at: sentMs,
  rttNs,
});
const failure = (sentMs: number) => ({ ...lost, sentMs, at: sentMs, detail: 'lost' });
const notSent = (sentMs: number): Sample => ({
  outcome: 'not-sent',
  reason: 'no-buffer',
  sentMs,
  at: sentMs,
  detail: 'ENOBUFS',
});

const after = (...samples: Sample[]): PathState =>
  samples.reduce(
    (before, sample) => nextState(before, sample, { failures: 3, recovery: 2 }, sample.sentMs),
    initialState(0, 0),
  );

describe('nextState', () => {
  test('makes a path reachable with its first reply', () => {
    const seen = { state: 'reachable', sinceAt: 5, rttNs: 1000, failures: 0 };
    expect(after(reply(5))).toMatchObject(seen);
  });

  test('keeps the state and the last good RTT until the threshold, and counts the failures', () => {
    expect(after(reply(5), failure(6), failure(7))).toMatchObject({
      state: 'reachable',
      sinceAt: 5,
      rttNs: 1000,
      failures: 2,
      failure: 'lost',
      failureKind: 'timeout',
    });
  });

  test('makes a path unreachable with the failure that meets the threshold, and keeps no RTT', () => {
    const dead = after(reply(5), failure(6), failure(7), failure(8));
    expect(dead).toMatchObject({ state: 'unreachable', sinceAt: 8, failures: 3 });
    expect(dead.rttNs).toBeUndefined();
  });

  test('knows when the first of the failures in a row was sent', () => {
    expect(after(reply(5)).failedSentMs).toBe(Infinity);
    expect(after(reply(5), failure(6), failure(7), failure(8), failure(9)).failedSentMs).toBe(6);
    expect(after(failure(6), reply(7), failure(8)).failedSentMs).toBe(8);
    // One answer does not bring a path back.
    expect(after(failure(6), failure(7), failure(8), reply(9), failure(10)).failedSentMs).toBe(6);
  });

  test('stays unknown while a path that never answered has not failed often enough', () => {
    expect(after(failure(1), failure(2))).toMatchObject({ state: 'unknown', failures: 2 });
    expect(after(failure(1), failure(2), failure(3)).state).toBe('unreachable');
  });

  test('brings an unreachable path back with as many replies in a row as the threshold says', () => {
    const dead = [failure(1), failure(2), failure(3)];
    expect(after(...dead, reply(4, 7))).toMatchObject({ state: 'unreachable', successes: 1 });
    const back = after(...dead, reply(4, 7), reply(5, 8));
    expect(back).toMatchObject({ state: 'reachable', sinceAt: 5, rttNs: 8, failures: 0 });
    expect(back.failure).toBeUndefined();
  });

  test('starts the count of replies again after a failure', () => {
    const dead = [failure(1), failure(2), failure(3)];
    const again = after(...dead, reply(4), failure(5), reply(6));
    expect(again).toMatchObject({ state: 'unreachable', successes: 1 });
  });

  test('does not count a tainted failure, and marks a tainted round trip', () => {
    const tainted = { ...failure(6), tainted: true };
    expect(after(reply(5), tainted, tainted, tainted)).toMatchObject({
      state: 'reachable',
      failures: 0,
    });
    expect(after({ ...reply(5), tainted: true } as Sample).tainted).toBe(true);
  });

  test('keeps the start time while the state stays', () => {
    expect(after(failure(1), failure(2), failure(3), failure(9)).sinceAt).toBe(3);
  });

  test('does not count a failure that was sent before a probe that was answered', () => {
    expect(after(reply(10), failure(9)).failures).toBe(0);
  });

  test('does not blame a peer for a probe that was never sent', () => {
    const held = after(reply(1), notSent(2), notSent(3), notSent(4));
    expect(held).toMatchObject({ state: 'reachable', failures: 0, notSent: 'ENOBUFS' });
    expect(after(notSent(1), reply(2)).notSent).toBeUndefined();
  });
});
