import { afterAll, expect, test, vi } from 'vitest';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';

const eventLoop = monitorEventLoop();
afterAll(() => eventLoop.stop());

function stall(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

const nextBeat = () => new Promise((resolve) => setTimeout(resolve, 30));

test('notices a stall while it is still under way', () => {
  const watch = eventLoop.startMeasurement();
  stall(80);
  expect(watch.stalledMs()).toBeGreaterThan(50);
  expect(watch.isUnreliable(1e6)).toBe(true);
});

test('remembers a stall for what was measured meanwhile, and not for what came later', async () => {
  await nextBeat();
  const during = eventLoop.startMeasurement();
  stall(80);
  await nextBeat();
  const after = eventLoop.startMeasurement();
  expect(during.stalledMs()).toBeGreaterThan(50);
  expect(after.stalledMs()).toBeLessThan(during.stalledMs());
  expect(eventLoop.longestStallMs()).toBeGreaterThan(50);
});

test('counts only the part of a stall that fell into the measurement', () => {
  stall(150);
  const startedMs = performance.now();
  const watch = eventLoop.startMeasurement();
  stall(40);
  const stalledMs = watch.stalledMs();
  expect(stalledMs).toBeGreaterThan(30);
  expect(stalledMs).toBeLessThanOrEqual(performance.now() - startedMs);
});

test('gives the longest stall of only the last milliseconds on request', async () => {
  stall(120);
  await nextBeat();
  expect(eventLoop.longestStallMs(1000)).toBeGreaterThan(80);
  await vi.waitFor(() => expect(eventLoop.longestStallMs(100)).toBeLessThan(80));
  expect(eventLoop.longestStallMs()).toBeGreaterThan(80);
});
