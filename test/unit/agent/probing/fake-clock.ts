import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

/** A clock that a test advances. Promises of a callback settle before the time goes on. */
export class FakeClock extends VirtualClock {
  override wallOffsetMs = Date.UTC(2026, 0, 1);

  constructor() {
    super(1000);
  }

  /** Advances the time and runs each timer that becomes due, at its time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs() + ms;
    do await settled();
    while (this.runNext(endMs));
    this.runUntil(endMs);
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
