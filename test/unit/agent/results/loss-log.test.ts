import { beforeEach, describe, expect, test } from 'vitest';
import { LossLog } from '../../../../agent/results/loss-log.js';

const minute = 60_000;

/** Adds one probe a second. Every n-th of them is lost. */
function fill(log: LossLog, seconds: number, lostEvery: number, fromMs = 0, series = 0): number {
  for (let i = 1; i <= seconds; i++) {
    log.add(series, fromMs + i * 1000, i % lostEvery === 0 ? 'lost' : 'answered');
  }
  return fromMs + seconds * 1000;
}

describe('LossLog', () => {
  let log: LossLog;
  beforeEach(() => (log = new LossLog()));

  test('knows nothing about a path that was never probed', () => {
    const loss = new LossLog().loss(5, minute);
    expect(loss).toEqual({ loss1m: undefined, loss10m: undefined, loss1h: undefined });
  });

  test('gives the share lost in the last minute, ten minutes and hour', () => {
    const goodMs = fill(log, 50 * 60, Infinity, 0);
    const nowMs = fill(log, 60, 4, goodMs);
    const { loss1m = 0, loss10m = 0, loss1h = 0 } = log.loss(0, nowMs);
    expect(loss1m).toBeCloseTo(0.25, 1);
    expect(loss10m).toBeCloseTo(0.025, 2);
    expect(loss1h).toBeCloseTo(15 / 3060, 3);
  });

  test('forgets losses that are older than the window, even without new probes', () => {
    const nowMs = fill(log, 60, 1);
    expect(log.loss(0, nowMs).loss1m).toBe(1);
    expect(log.loss(0, nowMs + 2 * minute).loss1m).toBeUndefined();
    expect(log.loss(0, nowMs + 2 * minute).loss10m).toBe(1);
    expect(log.loss(0, nowMs + 120 * minute).loss1h).toBeUndefined();
  });

  test('counts a bucket anew when the round comes back to it', () => {
    const lostMs = fill(log, 60, 1);
    const nowMs = fill(log, 60, Infinity, lostMs + 60 * minute);
    expect(log.loss(0, nowMs)).toEqual({ loss1m: 0, loss10m: 0, loss1h: 0 });
  });

  test('calls a path lossy if it loses one probe in a hundred, but not after a single loss', () => {
    expect(log.isLossy(0, fill(log, 600, 100))).toBe(true);
    log.add(1, 1000, 'lost');
    expect(log.isLossy(1, fill(log, 599, Infinity, 1000, 1))).toBe(false);
  });

  test('does not call a path lossy because of losses while it was dead', () => {
    const backMs = fill(log, 60, 1);
    log.excludeOutage(0, backMs);
    expect(log.isLossy(0, backMs)).toBe(false);
    expect(log.isolated(0, backMs)).toBe(0);
    expect(log.loss(0, backMs).loss1m).toBe(1);
    const lossyMs = fill(log, 100, 20, backMs);
    expect(log.isLossy(0, lossyMs)).toBe(true);
    expect(log.isolated(0, lossyMs)).toBe(5);
  });

  test('does not call a path lossy because of such losses that are known only later', () => {
    log.excludeOutage(0, minute);
    for (let i = 0; i < 5; i++) log.add(0, minute - 1 - i, 'lost');
    expect(log.isLossy(0, minute)).toBe(false);
    for (let i = 0; i < 5; i++) log.add(0, minute + i, 'lost');
    expect(log.isLossy(0, minute)).toBe(true);
  });

  test('does not call a path lossy because its host rejects probes, but counts them as failed', () => {
    for (let i = 0; i < 5; i++) log.add(0, minute + i, 'rejected');
    expect(log.isLossy(0, minute)).toBe(false);
    expect(log.loss(0, minute).loss1m).toBe(1);
  });

  test('does not count a loss that is as old as the window among the newest', () => {
    log.add(0, 2 * minute, 'answered');
    log.add(0, minute, 'lost');
    expect(log.loss(0, 2 * minute)).toEqual({ loss1m: 0, loss10m: 0.5, loss1h: 0.5 });
  });

  test('keeps series apart and clears one alone', () => {
    const nowMs = fill(log, 60, 1, 0, 0);
    fill(log, 60, 2, 0, 1);
    log.clear(0);
    expect(log.loss(0, nowMs).loss1m).toBeUndefined();
    expect(log.loss(1, nowMs).loss1m).toBeCloseTo(0.5, 1);
  });
});
