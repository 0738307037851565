/** No send takes that long by itself. */
const longestNs = 200_000;

/**
 * Tells whether the process lost its processor while it sent, judged by what sends usually take
 * here, since that differs between machines.
 */
export class SendInterruptionDetector {
  #usualNs = 10_000;

  /** Takes how long a send took by the system clock: below zero where that was stepped meanwhile. */
  wasInterrupted(sendNs: number): boolean {
    // Such a time says nothing of sends, and is not to be learnt from.
    if (sendNs < 0) return true;
    const limitNs = Math.max(longestNs, 8 * this.#usualNs);
    this.#usualNs += (Math.min(sendNs, 4 * this.#usualNs) - this.#usualNs) / 64;
    return sendNs > limitNs;
  }
}
