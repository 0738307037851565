import type { EventLoop } from '../platform/event-loop.js';

/** Not to run for so long may have failed a probe: it is the gap between two confirmations. */
const starvingMs = 200;
const starvedForMs = 10_000;

/** Whether this process did not get the processor lately, so that its failures may be its own fault. */
export function isStarved(eventLoop: Pick<EventLoop, 'longestStarvationMs'>): boolean {
  return eventLoop.longestStarvationMs(starvedForMs) >= starvingMs;
}
