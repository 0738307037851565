import type { EventLoop } from '../platform/event-loop.js';

/** Not to run for so long may have failed a probe: it is the gap between two confirmations. */
const starvingMs = 200;
const starvedForMs = 10_000;

/** Half of the last ten seconds. An agent needs the processor for a small part of them. */
const overloadedWaitMs = 5000;

/** Whether this process did not get the processor lately, so that its failures may be its own fault. */
export function isStarved(
  eventLoop: Pick<EventLoop, 'longestStarvationMs' | 'recentWaitMs'>,
): boolean {
  return eventLoop.longestStarvationMs(starvedForMs) >= starvingMs || isOverloaded(eventLoop);
}

/**
 * Whether this host has more work than its processors can do: this process waits for one most of the
 * time. Then probes beyond the steady rounds would tell little and slow down the host, and its peers, further.
 */
export function isOverloaded(eventLoop: Pick<EventLoop, 'recentWaitMs'>): boolean {
  return eventLoop.recentWaitMs() >= overloadedWaitMs;
}
