/** The time of one host, and one-shot timers. */
export interface Clock {
  /** Monotonic milliseconds: the one that rules use. */
  nowMs(): number;
  /** Epoch milliseconds, for people. An operator or NTP may set it, back too. */
  wallMs(): number;
  /** Calls back once, `delayMs` from now; the result cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
