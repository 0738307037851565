import type { KernelTime } from './control-message.js';

/** A change of the lead by more than this is a step; what reading it takes is allowed on top. */
const stepNs = 100_000;

/**
 * Tells when the system clock was stepped, on which the kernel's stamps are taken: by how far it is
 * before the monotonic clock, which slewing leaves as it is.
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
