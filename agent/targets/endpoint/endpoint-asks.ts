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

/** So long a look may take that the endpoint was asked for: three probes, a second apart. */
const lookMs = 4000;

/** When the own endpoint is asked, and at which targets it is then to look. */
export class EndpointAsks {
  readonly #options: EndpointAsksOptions;
  #askedMs = -Infinity;
  #hurriedUntilMs = -Infinity;
  /** The targets that the next request asks to look at. */
  readonly #look = new Set<string>();
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

  /** The next request asks to look at a target. It is sent at once, and more follow until what was seen is known. */
  lookNow(target: string): void {
    this.#look.add(target);
    this.hurry(lookMs);
  }

  /** Asks at once, and then more often for a time. */
  hurry(forMs: number): void {
    this.#hurriedUntilMs = Math.max(this.#hurriedUntilMs, this.#options.clock.nowMs() + forMs);
    if (!this.#cancelTimer) return;
    this.stop();
    if (this.#look.size > 0) this.#options.askNow();
    this.start();
  }

  /** Whether the endpoint is to be asked now. */
  isDue(): boolean {
    return this.#look.size > 0 || this.#options.clock.nowMs() - this.#askedMs >= this.#everyMs;
  }

  /** A request is sent. Returns the targets that it asks to look at. */
  begin(): string[] {
    const look = [...this.#look].slice(0, maxTargets);
    this.#look.clear();
    this.#askedMs = this.#options.clock.nowMs();
    return look;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  get #everyMs(): number {
    return this.#options.clock.nowMs() < this.#hurriedUntilMs ? hurriedEveryMs : askEveryMs;
  }
}
