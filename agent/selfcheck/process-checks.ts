import { messageOf } from '../platform/errors.js';
import type { ProtocolStats } from '../probing/schedule/scheduler.js';
import type { Check } from './checks.js';

const tick = { everyMs: 1000, timeoutMs: 10_000 };

/** The event loop is blocked if this process works for at least this time at a stretch. */
const blockedMs = 1000;

/**
 * Fails if work of this process blocks the event loop again and again. Once is ignored, and so is a time in which the
 * process got no processor: a restart brings none, and takes much of one.
 */
export function eventLoopCheck(longestWorkMs: () => number): Check {
  return {
    ...tick,
    name: 'event-loop',
    allowedFailures: 10,
    live: true,
    ready: false,
    run() {
      const longest = Math.round(longestWorkMs());
      return { ok: longest < blockedMs, message: `blocked for ${longest} ms at the longest` };
    },
  };
}

const mib = 1024 * 1024;

/**
 * Fails if resident memory exceeds the limit. Without a limit it only tells how much memory is
 * used. Memory that cannot be read is no reason to restart.
 */
export function memoryCheck(maxMib: number | undefined, rssBytes: () => number): Check {
  return {
    ...tick,
    everyMs: 5000,
    timeoutMs: 20_000,
    name: 'memory',
    allowedFailures: 0,
    live: true,
    ready: false,
    run() {
      const rss = readOrReason(rssBytes);
      if (typeof rss === 'string') {
        return { ok: true, message: `resident memory cannot be read: ${rss}`, note: true };
      }
      const rssMib = Math.ceil(rss / mib);
      const limit = maxMib === undefined ? 'no limit' : `max-memory-mib ${maxMib}`;
      return {
        ok: maxMib === undefined || rssMib <= maxMib,
        message: `${rssMib} MiB resident, ${limit}`,
      };
    },
  };
}

function readOrReason(read: () => number): number | string {
  try {
    return read();
  } catch (error) {
    return messageOf(error);
  }
}

/** How late a scheduler may be because the machine is busy. */
const overdueAllowedMs = 5000;

/** Fails if probing has stopped: samples are due and none comes. */
export function schedulerCheck(stats: () => readonly ProtocolStats[]): Check {
  return {
    ...tick,
    name: 'scheduler',
    allowedFailures: 5,
    live: true,
    ready: false,
    run() {
      const halted = stats().filter(({ overdueMs }) => overdueMs > overdueAllowedMs);
      if (halted.length === 0) return { ok: true, message: 'probing' };
      const reasons = halted.map(
        ({ protocol, overdueMs }) =>
          `${protocol} has no sample, overdue for ${Math.round(overdueMs / 1000)} s`,
      );
      return { ok: false, message: reasons.join(', ') };
    },
  };
}
