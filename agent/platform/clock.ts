import { noteTurn } from './loop-turns.js';

/** The time of one host, and one-shot timers. */
export interface Clock {
  /** Monotonic milliseconds: the one that rules use. */
  nowMs(): number;
  /** Epoch milliseconds, for people. An operator or NTP may set it, back too. */
  wallMs(): number;
  /** Calls back once, `delayMs` from now; the result cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Timers fire together, on ticks that are this far apart. */
const tickMs = 50;
/**
 * What is to be done on the next tick, or a whole number of ticks from now, is asked for this much sooner: the
 * callbacks before it have taken some time of the tick.
 */
export const tickToleranceMs = 5;

/** The callbacks that are due on each tick, counted from the start of the process. */
const dueOn = new Map<number, Set<() => void>>();
let timer: NodeJS.Timeout | undefined;
/** The tick that the timer waits for. */
let nextTick = Infinity;

/**
 * The machine's clocks. To wake up costs this process as much as a probe, so timers share ticks: each fires up
 * to a tick late, and never early. Those shorter than a tick fire alone, in time. Each process has ticks of its own.
 */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, callback) {
    if (delayMs < tickMs - tickToleranceMs) {
      const alone = setTimeout(callback, delayMs);
      return () => clearTimeout(alone);
    }
    // The sum of two fractions may be a trifle above a whole tick.
    const tick = Math.ceil((performance.now() + delayMs) / tickMs - 1e-6);
    const due = dueOn.get(tick) ?? new Set();
    dueOn.set(tick, due);
    const run = (): void => callback();
    due.add(run);
    wakeOn(tick);
    return () => {
      // Once: later the tick may have other callbacks in its place.
      if (due.delete(run) && due.size === 0) dueOn.delete(tick);
    };
  },
};

/**
 * How long to wait for the next beat of what is done every so many milliseconds. All such beats of a process fall
 * on the same ticks: those of whole multiples of that time.
 */
export function untilBeatMs(everyMs: number, nowMs: number): number {
  const leftMs = everyMs - (nowMs % everyMs);
  // A timer may fire somewhat early. Then this beat was the next one.
  return leftMs < tickMs ? leftMs + everyMs : leftMs;
}

function wakeOn(tick: number): void {
  if (tick >= nextTick) return;
  clearTimeout(timer);
  nextTick = tick;
  timer = setTimeout(runDue, Math.ceil(tick * tickMs - performance.now()));
}

function runDue(): void {
  noteTurn();
  // Node counts whole milliseconds, so its timers may be early by one.
  const reached = Math.floor((performance.now() + 1) / tickMs);
  try {
    for (let tick = firstDue(); tick <= reached; tick = firstDue()) {
      const due = dueOn.get(tick) as Set<() => void>;
      for (const run of due) {
        due.delete(run);
        run();
      }
      dueOn.delete(tick);
    }
  } finally {
    nextTick = Infinity;
    if (dueOn.size > 0) wakeOn(firstDue());
  }
}

/** The first tick with callbacks. It is asked for on each tick, so it leaves no garbage. */
function firstDue(): number {
  let first = Infinity;
  for (const tick of dueOn.keys()) if (tick < first) first = tick;
  return first;
}

/** Waits by the system clock, until the signal aborts at the latest. */
export function sleepOnTicks(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = systemClock.after(delayMs, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
