import { beforeEach, describe, expect, test } from 'vitest';
import { failureKinds, type FailureKind } from '../../../../agent/model/failure.js';
import { maxFailureTexts } from '../../../../agent/results/failure-texts.js';
import type { Sample } from '../../../../agent/model/sample.js';
import { keptSamples, SampleLog } from '../../../../agent/results/sample-log.js';
import { answered, lost } from '../../../rows/make-store.js';

const reply = (sentMs: number, rttNs: number, tainted = false): Sample => ({
  ...answered,
  sentMs,
  rttNs,
  tainted,
});
const failed = (sentMs: number, kind: FailureKind, detail: string): Sample => ({
  ...lost,
  kind,
  sentMs,
  detail,
});
const failure = (sentMs: number, detail = 'lost') => failed(sentMs, 'reset', detail);

describe('SampleLog', () => {
  let log: SampleLog;
  beforeEach(() => (log = new SampleLog()));

  test('keeps the last sixty samples of a series, the oldest first', () => {
    for (let i = 0; i < 100; i++) log.add(7, reply(i * 1000, i + 1));
    const kept = log.samples(7);
    expect(kept).toHaveLength(keptSamples);
    expect(kept[0]).toEqual({ sentMs: 40_000, rttNs: 41, failure: undefined, tainted: false });
    expect(kept.at(-1)).toMatchObject({ sentMs: 99_000, rttNs: 100 });
  });

  test('keeps series apart, even with distant numbers', () => {
    log.add(0, reply(10, 1));
    log.add(1, reply(20, 2));
    log.add(100_000, failure(30, 'no route to host'));
    expect(log.samples(0).map(({ rttNs }) => rttNs)).toEqual([1]);
    expect(log.samples(1).map(({ rttNs }) => rttNs)).toEqual([2]);
    expect(log.samples(100_000)).toMatchObject([{ sentMs: 30, failure: 'no route to host' }]);
    expect(log.samples(2)).toEqual([]);
  });

  test('puts samples that settle late where they were sent', () => {
    for (const sentMs of [20, 30, 10]) log.add(0, reply(sentMs, sentMs));
    expect(log.samples(0).map(({ sentMs }) => sentMs)).toEqual([10, 20, 30]);
  });

  test('leaves failures and tainted round trips out of the figures', () => {
    for (let i = 1; i <= 20; i++) log.add(0, reply(i, i * 100));
    log.add(0, reply(30, 90_000, true));
    log.add(0, failure(40));
    expect(log.summary(0)).toEqual({ min: 100, p50: 1000, p95: 1900, max: 2000 });
    expect(log.samples(0).at(-2)).toMatchObject({ tainted: true, rttNs: 90_000 });
  });

  test('tells the median alone as the summary has it, and none without a good round trip', () => {
    log.add(0, failure(1));
    log.add(0, reply(2, 90_000, true));
    expect(log.median(0)).toBeUndefined();
    for (const rttNs of [500, 100, 90_000, 300, 200]) log.add(0, reply(10, rttNs));
    expect(log.median(0)).toEqual({ rttNs: 300, isOfFew: true });
    for (let i = 0; i < 14; i++) log.add(0, reply(20, 300));
    expect(log.median(0)?.isOfFew).toBe(true);
    log.add(0, reply(30, 300));
    expect(log.median(0)).toEqual({ rttNs: log.summary(0)?.p50, isOfFew: false });
  });

  test('tells no percentile that none of its samples is beyond', () => {
    for (let i = 1; i <= 19; i++) log.add(0, reply(i, i * 100));
    expect(log.summary(0)).toEqual({ min: 100, p50: 1000, max: 1900 });
    for (let i = 20; i <= 200; i++) log.add(0, reply(i, i * 100));
    const { p95 = 0, p99, max = 0 } = log.summary(0) ?? {};
    expect(p95).toBeLessThan(max);
    expect(p99).toBeUndefined();
  });

  test('has no figures without a good round trip', () => {
    log.add(0, failure(1));
    log.add(0, reply(2, 5, true));
    expect(log.summary(0)).toBeUndefined();
  });

  test('keeps its fixed texts, whatever texts a peer makes up', () => {
    for (let i = 0; i < 300; i++) {
      for (const kind of failureKinds) log.add(0, failed(i, kind, `${kind} ${i}`));
    }
    log.add(1, failed(10, 'refused', 'connection refused'));
    log.add(1, failed(20, 'timeout', 'Connection timed out'));
    log.add(1, failed(30, 'unreachable', 'no route to host'));
    log.add(1, failed(40, 'status', 'unexpected status 999'));
    log.add(1, failed(50, 'status', 'status 3'));
    expect(log.samples(1).map(({ failure }) => failure)).toEqual([
      'connection refused',
      'Connection timed out',
      'no route to host',
      'unexpected status',
      'status 3',
    ]);
  });

  test('has a code for every text that it keeps', () => {
    // A byte holds a code times two, plus two, plus the taint bit.
    expect(2 * (2 + maxFailureTexts) + 1).toBeLessThanOrEqual(255);
  });

  test('keeps nothing of a probe that was never sent', () => {
    log.add(0, { outcome: 'not-sent', reason: 'no-buffer', sentMs: 1, at: 0, detail: 'ENOBUFS' });
    expect(log.samples(0)).toEqual([]);
  });

  test('gives a cleared series back empty', () => {
    for (let i = 0; i < 5; i++) log.add(3, reply(i, 1));
    log.clear(3);
    log.add(3, reply(9, 7));
    expect(log.samples(3).map(({ rttNs }) => rttNs)).toEqual([7]);
  });

  test('keeps a bounded number of failure texts', () => {
    for (let i = 0; i < 1000; i++) log.add(0, failure(i * 10, `text ${i}`));
    expect(new Set(log.samples(0).map((sample) => sample.failure))).toEqual(
      new Set(['connection closed by peer']),
    );
    log.add(0, failure(99_000, 'text 3'));
    expect(log.samples(0).at(-1)?.failure).toBe('text 3');
  });
});
