/** Time as the scheduler sees it: monotonic milliseconds and one-shot timers. */
export interface Clock {
  nowMs(): number;
  /** Calls back once, `delayMs` from now; the result cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The machine's monotonic clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
