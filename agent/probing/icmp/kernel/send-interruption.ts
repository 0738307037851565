/** No send takes this long by itself. */
const longestNs = 200_000;

/**
 * Detects that the process lost its processor during a send. It compares with the usual time of a
 * send, which differs between machines.
 */
export class SendInterruptionDetector {
  #usualNs = 10_000;

  /**
   * Takes the duration of a send by the system clock. It is negative if the clock was stepped
   * meanwhile.
   */
  wasInterrupted(sendNs: number): boolean {
    // Such a duration says nothing about sends and is not learnt from.
    if (sendNs < 0) return true;
    const limitNs = Math.max(longestNs, 8 * this.#usualNs);
    this.#usualNs += (Math.min(sendNs, 4 * this.#usualNs) - this.#usualNs) / 64;
    return sendNs > limitNs;
  }
}
