import type { ProtocolStats } from '../probing/schedule/scheduler.js';
import type { Check } from './checks.js';

const tick = { everyMs: 1000, timeoutMs: 10_000 };

/** A block of the event loop from this length on is a stall. */
const stallMs = 1000;

/** Fails where the event loop stalls again and again; a single stall passes. */
export function eventLoopCheck(eventLoopStallMs: () => number): Check {
  return {
    ...tick,
    name: 'event-loop',
    allowedFailures: 10,
    live: true,
    ready: false,
    run() {
      const longest = Math.round(eventLoopStallMs());
      return { ok: longest < stallMs, message: `blocked for ${longest} ms at the longest` };
    },
  };
}

const mib = 1024 * 1024;

/** Fails where resident memory is past the limit; without a limit it only says how much it is. */
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
      const rssMib = Math.ceil(rssBytes() / mib);
      const limit = maxMib === undefined ? 'no limit' : `max-memory-mib ${maxMib}`;
      return {
        ok: maxMib === undefined || rssMib <= maxMib,
        message: `${rssMib} MiB resident, ${limit}`,
      };
    },
  };
}

/** What a scheduler may be late for the load of the machine. */
const overdueAllowedMs = 5000;

/** Fails where probing has come to a halt: no sample though one must have come. */
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
