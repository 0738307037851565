import type { KernelTime } from './control-message.js';

/** A change by more than this is a step. The time that the reading takes is added to it. */
const stepNs = 100_000;

/**
 * Detects steps of the system clock, which the kernel's timestamps use. It compares that clock with
 * the monotonic clock: slewing changes both alike, a step changes only the system clock.
 */
export class ClockStepDetector {
  readonly #lead: () => KernelTime & { readonly uncertainNs: number };
  #last: KernelTime & { readonly uncertainNs: number };
  #steppedMs = -Infinity;

  constructor(lead: () => KernelTime & { readonly uncertainNs: number }) {
    this.#lead = lead;
    this.#last = lead();
  }

  /** Notes a step since the last look. */
  check(): void {
    const before = this.#last;
    const now = this.#lead();
    const changeNs = (now.seconds - before.seconds) * 1e9 + now.nanoseconds - before.nanoseconds;
    this.#last = now;
    if (Math.abs(changeNs) > stepNs + now.uncertainNs + before.uncertainNs) {
      this.#steppedMs = performance.now();
    }
  }

  /** Whether a step was noted after a monotonic time in milliseconds. */
  steppedSince(sinceMs: number): boolean {
    return this.#steppedMs >= sinceMs;
  }
}
