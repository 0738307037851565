import { maxTargets } from '../../model/target.js';
import type { Clock } from '../../platform/clock.js';

export interface EndpointAsksOptions {
  readonly clock: Clock;
  /** Sends the next GET to the own endpoint now. Returns why there is none to ask; undefined if it was sent. */
  readonly askNow: () => string | undefined;
  /** Called with the reason where there was none to ask in its turn. */
  readonly onNoneToAsk: (because: string) => void;
}

/** The own endpoint is asked this often. Any GET to it counts. */
const askEveryMs = 2000;
/** The same while a target may be changing. */
export const hurriedEveryMs = 500;

/** So long a round may take that the endpoint was asked for: three probes, a second apart. */
const probeMs = 4000;

/** When the own endpoint is asked, and which targets it is then to probe. */
export class EndpointAsks {
  readonly #options: EndpointAsksOptions;
  #askedMs = -Infinity;
  #hurriedUntilMs = -Infinity;
  /** The targets that the next request asks to probe. */
  readonly #toProbe = new Set<string>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: EndpointAsksOptions) {
    this.#options = options;
  }

  /** Begins to ask. It goes on until `stop`. */
  start(): void {
    const { clock, askNow, onNoneToAsk } = this.#options;
    const everyMs = this.#everyMs;
    const dueMs = Math.max(this.#askedMs + everyMs - clock.nowMs(), everyMs / 2);
    this.#cancelTimer ??= clock.after(dueMs, () => {
      this.#cancelTimer = undefined;
      if (this.isDue()) {
        const because = askNow();
        if (because !== undefined) onNoneToAsk(because);
      }
      this.start();
    });
  }

  /** The next request asks to probe a target. It is sent at once, and more follow until what was seen is known. */
  probeNow(target: string): void {
    this.#toProbe.add(target);
    this.hurry(probeMs);
  }

  /** Asks at once, and then more often for a time. */
  hurry(forMs: number): void {
    this.#hurriedUntilMs = Math.max(this.#hurriedUntilMs, this.#options.clock.nowMs() + forMs);
    if (!this.#cancelTimer) return;
    this.stop();
    if (this.#toProbe.size > 0) this.#options.askNow();
    this.start();
  }

  /** Whether the endpoint is to be asked now. */
  isDue(): boolean {
    return this.#toProbe.size > 0 || this.#options.clock.nowMs() - this.#askedMs >= this.#everyMs;
  }

  /** A request is sent. Returns the targets that it asks to probe. */
  begin(): string[] {
    const toProbe = [...this.#toProbe].slice(0, maxTargets);
    this.#toProbe.clear();
    this.#askedMs = this.#options.clock.nowMs();
    return toProbe;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  get #everyMs(): number {
    return this.#options.clock.nowMs() < this.#hurriedUntilMs ? hurriedEveryMs : askEveryMs;
  }
}
