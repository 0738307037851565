import type { Clock } from '../../platform/clock.js';

/** So many rows a second are asked for outside the round, and after a pause so many at once. */
export const askedPerSecond = 8;

/** A row that was confirmed or asked for this recently is not asked for again. */
const leastAgeMs = 1000;

export interface RowAskerOptions {
  readonly clock: Clock;
  /** The peers that sent a row, and when they confirmed it last, in monotonic milliseconds. */
  readonly confirmed: () => Iterable<readonly [peer: string, confirmedMs: number]>;
  /** Sends the peer's next GET now. Returns whether it was worth it. */
  readonly ask: (peer: string) => boolean;
}

/**
 * Asks for the oldest rows while a finding waits for them: at most eight a second. So all agents
 * together bring one agent eight GETs a second on average, however many there are.
 */
export class RowAsker {
  readonly #options: RowAskerOptions;
  #tokens = askedPerSecond;
  #countedMs: number;
  readonly #askedMs = new Map<string, number>();
  /** By peer, how to cancel an ask that waits. */
  readonly #waiting = new Map<string, () => void>();

  constructor(options: RowAskerOptions) {
    this.#options = options;
    this.#countedMs = options.clock.nowMs();
  }

  /** Asks for as many rows as are allowed now. Call it again while they are wanted. */
  ask(): void {
    const nowMs = this.#options.clock.nowMs();
    const earned = ((nowMs - this.#countedMs) * askedPerSecond) / 1000;
    this.#tokens = Math.min(this.#tokens + earned, askedPerSecond);
    this.#countedMs = nowMs;
    for (const [peer, askedMs] of this.#askedMs) {
      if (nowMs - askedMs > leastAgeMs) this.#askedMs.delete(peer);
    }
    for (const peer of this.#oldest(Math.floor(this.#tokens), nowMs)) {
      this.#askedMs.set(peer, nowMs);
      if (this.#options.ask(peer)) this.#tokens--;
    }
  }

  /** Asks this peer for its row. If it was asked just now, that may have been before the news, so it is asked again. */
  askOne(peer: string): void {
    const { clock, ask } = this.#options;
    if (this.#waiting.has(peer)) return;
    const nowMs = clock.nowMs();
    const waitMs = (this.#askedMs.get(peer) ?? -Infinity) + leastAgeMs - nowMs;
    if (waitMs > 0) {
      const again = (): void => {
        this.#waiting.delete(peer);
        this.askOne(peer);
      };
      this.#waiting.set(peer, clock.after(waitMs, again));
      return;
    }
    this.#askedMs.set(peer, nowMs);
    ask(peer);
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #oldest(count: number, nowMs: number): string[] {
    if (count === 0) return [];
    const oldest: { readonly peer: string; readonly confirmedMs: number }[] = [];
    for (const [peer, confirmedMs] of this.#options.confirmed()) {
      if (nowMs - confirmedMs < leastAgeMs || this.#askedMs.has(peer)) continue;
      const last = oldest.at(-1);
      if (oldest.length === count && last && last.confirmedMs <= confirmedMs) continue;
      const at = oldest.findIndex((one) => one.confirmedMs > confirmedMs);
      oldest.splice(at === -1 ? oldest.length : at, 0, { peer, confirmedMs });
      if (oldest.length > count) oldest.pop();
    }
    return oldest.map(({ peer }) => peer);
  }
}
