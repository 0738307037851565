import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { StatusText } from '../../../../api/routes/read-handlers.js';
import { createStatusSource } from '../../../../agent/reports/status-source.js';
import type { Snapshot } from '../../../../agent/results/snapshot.js';
import { makeStore } from '../../../rows/make-store.js';

function create(writeMs: number, keptMs = 60_000) {
  const store = makeStore();
  let writes = 0;
  const createWriter = () =>
    function* ({ generation }: Snapshot) {
      writes++;
      const untilMs = performance.now() + writeMs;
      while (performance.now() < untilMs) yield;
      return Buffer.from(`${generation}`);
    };
  const status = createStatusSource(store, createWriter, keptMs);
  const change = () => store.setNodes([]);
  return { status, change, writes: () => writes };
}

test('writes a generation once, however often it is asked for', async () => {
  const { status, writes } = create(0);
  const first = await status();
  expect(await status({ fresh: true })).toBe(first);
  expect(writes()).toBe(1);
});

test('keeps a body that was costly to write for a while', async () => {
  const { status, change } = create(10);
  const first = await status();
  change();
  expect(await status()).toBe(first);
});

test('lets callers wait for the body that is being written', async () => {
  const { status, writes } = create(10);
  const bodies = await Promise.all([status(), status(), status()]);
  expect(new Set(bodies).size).toBe(1);
  expect(writes()).toBe(1);
});

test('gives a caller who asks for a fresh body everything known at the time of the request', async () => {
  const { status, change, writes } = create(10);
  const early = status();
  await setImmediate();
  change();
  const [first, second] = await Promise.all([status({ fresh: true }), status({ fresh: true })]);
  expect(String(first.body)).not.toBe(String((await early).body));
  expect(second).toBe(first);
  expect(writes()).toBe(2);
});

test('yields to others after each part that takes long', async () => {
  const store = makeStore();
  const createWriter = () =>
    function* () {
      for (let part = 0; part < 10; part++) {
        const untilMs = performance.now() + 5;
        while (performance.now() < untilMs);
        yield;
      }
      return Buffer.from('body');
    };
  const status = createStatusSource(store, createWriter, 60_000);
  let turns = 0;
  let body: StatusText | undefined;
  const asked = status().then((text) => (body = text));
  while (body === undefined) {
    await setImmediate();
    turns++;
  }
  await asked;
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('writes a fresh body with another tag on request', async () => {
  const { status, change } = create(10);
  const first = await status();
  change();
  const second = await status({ fresh: true });
  expect(String(second.body)).not.toBe(String(first.body));
  expect(second.etag).not.toBe(first.etag);
  expect(await status()).toBe(second);
});

test('serves the last body to repeated callers while the next one is written', async () => {
  const { status, change, writes } = create(50);
  const first = await status();
  change();
  let served = first;
  let wasServedMeanwhile = false;
  while (served === first) {
    await setImmediate();
    served = await status();
    wasServedMeanwhile ||= served === first && writes() === 2;
  }
  expect(wasServedMeanwhile).toBe(true);
  expect(writes()).toBe(2);
});

test('forgets the body when nobody has asked for a while, and writes it again', async () => {
  vi.useFakeTimers();
  try {
    const { status, writes } = create(0, 1000);
    const first = await status();
    await vi.advanceTimersByTimeAsync(900);
    expect(await status({ fresh: true })).toBe(first);
    await vi.advanceTimersByTimeAsync(900);
    expect(await status({ fresh: true })).toBe(first);
    await vi.advanceTimersByTimeAsync(1100);
    const second = await status();
    expect(second).not.toBe(first);
    // The store keeps its snapshot here, so it is the same text.
    expect(second).toEqual(first);
    expect(writes()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
