import { openSync, readSync } from 'node:fs';

/** What this process knows of the time it was kept from running. */
export interface EventLoop {
  /** How long the event loop stood still since a monotonic time; both in milliseconds. */
  stalledMs(sinceMs: number): number;
  /** The longest stall that ended in the last minute, in milliseconds. */
  longestStallMs(): number;
  /**
   * How long this thread has waited for a processor since it began, in nanoseconds; 0 where the
   * kernel does not tell (schedstat of proc(5)).
   */
  waitedForCpuNs(): number;
  stop(): void;
}

interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Between two beats. */
const beatMs = 10;
/** A beat that comes later than this was kept waiting by more than the timer's own coarseness. */
const lateMs = 10;
const keptMs = 60_000;

/**
 * Watches the event loop by a beat every ten milliseconds: one that comes more than ten too late
 * is a stall, whoever caused it (long work of our own, a stopped process, a starved processor).
 */
export function watchEventLoop(): EventLoop {
  const stalls: Stall[] = [];
  let lastBeatMs = performance.now();
  const current = (nowMs: number): Stall | undefined => {
    const dueMs = lastBeatMs + beatMs;
    return nowMs > dueMs + lateMs ? { fromMs: dueMs, toMs: nowMs } : undefined;
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const stall = current(nowMs);
    lastBeatMs = nowMs;
    if (stall) stalls.push(stall);
    while (stalls[0] && stalls[0].toMs < nowMs - keptMs) stalls.shift();
  }, beatMs).unref();
  const readCpuWait = openCpuWait();
  const stallsUntil = (nowMs: number): Stall[] => {
    const open = current(nowMs);
    return open ? [...stalls, open] : stalls;
  };
  return {
    stalledMs(sinceMs) {
      const nowMs = performance.now();
      let sumMs = 0;
      const known = stallsUntil(nowMs);
      for (let i = known.length - 1; i >= 0; i--) {
        const { fromMs, toMs } = known[i] as Stall;
        if (toMs <= sinceMs) break;
        sumMs += toMs - Math.max(fromMs, sinceMs);
      }
      return sumMs;
    },
    longestStallMs() {
      const nowMs = performance.now();
      const recent = stallsUntil(nowMs).filter(({ toMs }) => toMs > nowMs - keptMs);
      return Math.max(0, ...recent.map(({ fromMs, toMs }) => toMs - fromMs));
    },
    waitedForCpuNs: readCpuWait,
    stop: () => clearInterval(timer),
  };
}

function openCpuWait(): () => number {
  const text = Buffer.alloc(96);
  try {
    // Of the process as a whole it is the main thread's, on which everything here runs.
    const file = openSync('/proc/self/schedstat', 'r');
    return () => {
      const bytes = readSync(file, text, 0, text.length, 0);
      return Number(text.toString('latin1', 0, bytes).split(' ')[1] ?? 0);
    };
  } catch {
    return () => 0;
  }
}
