import { openSync, readSync } from 'node:fs';

/** What this process knows of the time it was kept from running. */
export interface EventLoop {
  /** Begins to watch over one measurement. */
  startMeasurement(): Measurement;
  /** The longest stall that ended within the last milliseconds, at most and by default a minute. */
  longestStallMs(withinMs?: number): number;
  stop(): void;
}

/** What kept the process from running since a measurement began. */
export interface Measurement {
  /** Whether so much of it that a round trip timed in this process is not to be believed. */
  isUnreliable(rttNs: number): boolean;
  /** How long the event loop stood still, in milliseconds. */
  stalledMs(): number;
  /**
   * How long this thread worked, or waited for a processor, in nanoseconds. An event that it waited for was
   * seen later than it came by no more than that, however the stalls fell.
   */
  busyNs(): number;
}

interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Between two checks. */
const checkEveryMs = 20;
/** A check that comes later than this was kept waiting by more than the timer's own coarseness. */
const lateMs = 10;
const keptMs = 60_000;
/** Waiting for a processor spoils a round trip when it is longer than this and than a quarter of it. */
const tolerableWaitNs = 1e6;
/** So does work of our own, which comes with every probe. */
const tolerableBusyNs = 4e6;

/**
 * Watches the event loop by a check every twenty milliseconds: one that comes more than ten too late
 * is a stall, whoever caused it (long work of our own, a stopped process, a starved processor). Shorter
 * ones, and those right after a check, show in how busy the thread was.
 */
export function monitorEventLoop(): EventLoop {
  const stalls: Stall[] = [];
  let lastCheckMs = performance.now();
  const current = (nowMs: number): Stall | undefined => {
    const dueMs = lastCheckMs + checkEveryMs;
    return nowMs > dueMs + lateMs ? { fromMs: dueMs, toMs: nowMs } : undefined;
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const stall = current(nowMs);
    lastCheckMs = nowMs;
    if (stall) stalls.push(stall);
    while (stalls[0] && stalls[0].toMs < nowMs - keptMs) stalls.shift();
  }, checkEveryMs).unref();
  const waitedForCpuNs = openCpuWait();
  const stallsUntil = (nowMs: number): Stall[] => {
    const open = current(nowMs);
    return open ? [...stalls, open] : stalls;
  };
  const stalledMs = (sinceMs: number): number => {
    const known = stallsUntil(performance.now());
    let sumMs = 0;
    for (let i = known.length - 1; i >= 0; i--) {
      const { fromMs, toMs } = known[i] as Stall;
      if (toMs <= sinceMs) break;
      sumMs += toMs - Math.max(fromMs, sinceMs);
    }
    return sumMs;
  };
  return {
    startMeasurement() {
      const sinceMs = performance.now();
      const waitedNs = waitedForCpuNs();
      const idleMs = performance.nodeTiming.idleTime;
      const waitNs = (): number => waitedForCpuNs() - waitedNs;
      // Waiting for a processor in the middle of work counts twice: that errs on the safe side.
      const busyNs = (): number => {
        const elapsedMs = performance.now() - sinceMs;
        return (elapsedMs - (performance.nodeTiming.idleTime - idleMs)) * 1e6 + waitNs();
      };
      return {
        isUnreliable(rttNs) {
          const isOver = (ns: number, tolerableNs: number): boolean =>
            ns > tolerableNs && ns > rttNs / 4;
          return (
            isOver(waitNs(), tolerableWaitNs) ||
            isOver(busyNs(), tolerableBusyNs) ||
            stalledMs(sinceMs) > 0
          );
        },
        stalledMs: () => stalledMs(sinceMs),
        busyNs,
      };
    },
    longestStallMs(withinMs = keptMs) {
      const nowMs = performance.now();
      const recent = stallsUntil(nowMs).filter(({ toMs }) => toMs > nowMs - withinMs);
      return Math.max(0, ...recent.map(({ fromMs, toMs }) => toMs - fromMs));
    },
    stop: () => clearInterval(timer),
  };
}

/** How long this thread has waited for a processor so far, in nanoseconds; 0 where no one tells. */
function openCpuWait(): () => number {
  const text = Buffer.alloc(96);
  try {
    // It stays the one of the thread that opened it (proc(5)).
    const file = openSync('/proc/thread-self/schedstat', 'r');
    return () => {
      const bytes = readSync(file, text, 0, text.length, 0);
      return Number(text.toString('latin1', 0, bytes).split(' ')[1] ?? 0);
    };
  } catch {
    return () => 0;
  }
}
