import { expect, test } from 'vitest';
import { ReceiveQueue } from '../../../../../../agent/probing/icmp/kernel/receive-queue.js';

/** A queue of a thousand bytes, as a socket would describe it. */
function createQueue() {
  const state = { bytes: 0, maxBytes: 1000, drops: 7 };
  const queue = new ReceiveQueue(() => ({ ...state }));
  const read = (bytes: number, drops: number): void => {
    Object.assign(state, { bytes, drops });
    queue.beforeReading();
    state.bytes = 0;
    queue.afterReading();
  };
  return { state, queue, read };
}

test('drops while the queue has room excuse no probe', () => {
  const { queue, read } = createQueue();
  read(500, 1007);
  expect([queue.dropped, queue.excuse(0)]).toEqual([0, false]);
});

test('a full queue excuses as many probes as it dropped packets, and no more', () => {
  const { queue, read } = createQueue();
  read(1000, 9);
  expect(queue.dropped).toBe(2);
  expect([queue.excuse(0), queue.excuse(0), queue.excuse(0)]).toEqual([true, true, false]);
});

test('a probe that was sent after the last drop is not excused, even if drops remain', () => {
  const { queue, read } = createQueue();
  read(1000, 1007);
  expect(queue.excuse(queue.dropped)).toBe(false);
  const droppedBefore = queue.dropped;
  read(1000, 1008);
  expect([queue.excuse(droppedBefore), queue.excuse(droppedBefore)]).toEqual([true, false]);
});

test('drops of a full queue while it is read count too', () => {
  const { state, queue } = createQueue();
  Object.assign(state, { bytes: 1000, drops: 8 });
  queue.beforeReading();
  state.drops = 10;
  queue.afterReading();
  expect(queue.dropped).toBe(3);
});

test('counting continues when the counter starts again at zero', () => {
  const { state, queue, read } = createQueue();
  state.drops = 0xffffffff;
  read(0, 0xffffffff);
  read(1000, 1);
  expect(queue.dropped).toBe(2);
});
