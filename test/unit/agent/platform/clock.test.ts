import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  sleepOnTicks,
  systemClock,
  tickToleranceMs,
  untilBeatMs,
} from '../../../../agent/platform/clock.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** When a timer of that length fires, counted from its start. */
function start(delayMs: number, fired: Map<number, number>): () => void {
  const startMs = systemClock.nowMs();
  return systemClock.after(delayMs, () => fired.set(delayMs, systemClock.nowMs() - startMs));
}

test('timers are never more than a millisecond early, and at most one tick late', () => {
  const fired = new Map<number, number>();
  for (let delayMs = 45; delayMs < 1200; delayMs += 7) {
    vi.advanceTimersByTime(delayMs % 50);
    start(delayMs, fired);
    vi.advanceTimersByTime(1300);
    expect(fired.get(delayMs)).toBeGreaterThanOrEqual(delayMs - 1);
    expect(fired.get(delayMs)).toBeLessThanOrEqual(delayMs + 51);
  }
});

test('timers of different lengths share a wake-up, in the order in which they were started', () => {
  const order: string[] = [];
  const untilTick = 50 - (systemClock.nowMs() % 50);
  vi.advanceTimersByTime(untilTick + 1);
  systemClock.after(120, () => order.push(`a ${systemClock.nowMs()}`));
  vi.advanceTimersByTime(60);
  systemClock.after(60, () => order.push(`b ${systemClock.nowMs()}`));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(order.map((each) => each[0])).toEqual(['a', 'b']);
  expect(new Set(order.map((each) => each.slice(2))).size).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('what a tick starts for some ticks later ends on that tick', () => {
  let startMs = 0;
  let endMs = 0;
  systemClock.after(100, () => {
    startMs = systemClock.nowMs();
    systemClock.after(200 - tickToleranceMs, () => (endMs = systemClock.nowMs()));
  });
  vi.advanceTimersByTime(500);
  expect(Math.abs(endMs - startMs - 200)).toBeLessThanOrEqual(1);
});

test('short timers fire alone and in time', () => {
  const fired = new Map<number, number>();
  start(7, fired);
  vi.advanceTimersByTime(7);
  expect(fired.get(7)).toBe(7);
});

test('a timer that was cancelled never fires, and others of its tick do', () => {
  const fired = new Map<number, number>();
  const cancel = start(100, fired);
  start(101, fired);
  cancel();
  vi.advanceTimersByTime(200);
  expect([...fired.keys()]).toEqual([101]);
});

test('a timer that is cancelled twice takes no other one with it', () => {
  const fired = new Map<number, number>();
  const cancel = start(100, fired);
  cancel();
  start(100, fired);
  cancel();
  vi.advanceTimersByTime(200);
  expect([...fired.keys()]).toEqual([100]);
});

test('a timer that another one of the same tick cancels does not fire', () => {
  const fired = new Map<number, number>();
  systemClock.after(100, () => cancel());
  const cancel = start(100, fired);
  vi.advanceTimersByTime(200);
  expect(fired.size).toBe(0);
});

test('a callback that fails does not keep the others from being called', () => {
  const fired = new Map<number, number>();
  systemClock.after(100, () => {
    throw new Error('of a test');
  });
  start(100, fired);
  start(300, fired);
  expect(() => vi.advanceTimersByTime(500)).toThrow('of a test');
  vi.advanceTimersByTime(500);
  expect([...fired.keys()]).toEqual([100, 300]);
});

test('sleeping shares a wake-up with timers, and ends when it is aborted', async () => {
  const stopping = new AbortController();
  const ended: string[] = [];
  const sleep = (name: string, ms: number): Promise<unknown> =>
    sleepOnTicks(ms, stopping.signal).then(() => ended.push(name));
  systemClock.after(100, () => undefined);
  const [short, long] = [sleep('short', 100), sleep('long', 60_000)];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(150);
  await short;
  expect(ended).toEqual(['short']);
  stopping.abort();
  await long;
  await sleep('late', 60_000);
  expect(ended).toEqual(['short', 'long', 'late']);
});

test('beats that begin at any time fall on the same ticks, one in each interval', () => {
  const beats: number[] = [];
  const beat = (): void => {
    beats.push(Math.round(systemClock.nowMs() / 10) * 10);
    systemClock.after(untilBeatMs(1000, systemClock.nowMs()), beat);
  };
  vi.advanceTimersByTime(1000 - (systemClock.nowMs() % 1000));
  const firstMs = Math.round(systemClock.nowMs()) + 1000;
  for (const phaseMs of [3, 333, 400]) {
    vi.advanceTimersByTime(phaseMs);
    systemClock.after(untilBeatMs(1000, systemClock.nowMs()), beat);
  }
  vi.advanceTimersByTime(2500);
  expect(beats).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2].map((at) => firstMs + at * 1000));
});
