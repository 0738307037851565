import type { Clock } from '../../platform/clock.js';

/**
 * So many rows a second are asked for outside the round, and after a pause so many at once. At 5,000 nodes the first witnesses
 * and the silence of a dead node come by these, so with half as many a finding opens 0.3 s later there.
 */
export const askedPerSecond = 24;

/** A row that was confirmed just before it is wanted, or asked for this recently, is not asked for. */
const leastAgeMs = 1000;

/** After a pause like this, what newer rows are wanted for is something new. */
const pauseMs = 5000;

export interface RowAskerOptions {
  readonly clock: Clock;
  /** The peers that sent a row, and when they confirmed it last, in monotonic milliseconds. */
  readonly confirmed: () => Iterable<readonly [peer: string, confirmedMs: number]>;
  /** Whether a GET to that peer is answered, as far as this agent knows. */
  readonly isReachable: (peer: string) => boolean;
  /** Sends the peer's next GET now. */
  readonly ask: (peer: string) => void;
}

/**
 * Asks for rows before it is their turn while a finding waits for them: at most 24 a second. So all agents together
 * bring one agent 24 GETs a second on average, however many there are.
 *
 * The rows from before the wait are wanted. Each is confirmed by the GET of the round, so the one that was confirmed
 * last has its turn last: it is asked for first, and the round brings the oldest ones by itself.
 */
export class RowAsker {
  readonly #options: RowAskerOptions;
  #tokens = askedPerSecond;
  #countedMs: number;
  /** Rows that were confirmed before this time are wanted. */
  #wantedMs = -Infinity;
  readonly #askedMs = new Map<string, number>();
  /** By peer, how to cancel an ask that waits. */
  readonly #waiting = new Map<string, () => void>();

  constructor(options: RowAskerOptions) {
    this.#options = options;
    this.#countedMs = options.clock.nowMs();
  }

  /**
   * Asks for as many rows as are allowed now. Call it again while they are wanted.
   * @param most no more than so many at once; left out, as many as a second allows
   */
  ask(most = askedPerSecond): void {
    const nowMs = this.#options.clock.nowMs();
    const sinceMs = nowMs - this.#countedMs;
    if (sinceMs > pauseMs || this.#wantedMs === -Infinity) this.#wantedMs = nowMs - leastAgeMs;
    this.#tokens = Math.min(this.#tokens + (sinceMs * askedPerSecond) / 1000, askedPerSecond);
    this.#countedMs = nowMs;
    for (const [peer, askedMs] of this.#askedMs) {
      if (nowMs - askedMs > leastAgeMs) this.#askedMs.delete(peer);
    }
    const count = Math.min(Math.floor(this.#tokens), most);
    if (count === 0) return;
    const wanted = this.#lastConfirmed(count);
    // All have come since. If newer ones still decide something, they are those from before now.
    if (wanted.length === 0) this.#wantedMs = nowMs - leastAgeMs;
    for (const peer of wanted) {
      this.#askedMs.set(peer, nowMs);
      this.#tokens--;
      this.#options.ask(peer);
    }
  }

  /** Asks this peer for its row. If it was asked just now, that may have been before the news, so it is asked again. */
  askOne(peer: string): void {
    const { clock, ask, isReachable } = this.#options;
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
    if (isReachable(peer)) ask(peer);
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  /** Of the peers that can be asked, those that confirmed a wanted row last. */
  #lastConfirmed(count: number): string[] {
    const { confirmed, isReachable } = this.#options;
    const chosen: { readonly peer: string; readonly confirmedMs: number }[] = [];
    for (const [peer, confirmedMs] of confirmed()) {
      if (confirmedMs >= this.#wantedMs || this.#askedMs.has(peer)) continue;
      const last = chosen.at(-1);
      if (chosen.length === count && last && last.confirmedMs >= confirmedMs) continue;
      if (!isReachable(peer)) continue;
      const at = chosen.findIndex((one) => one.confirmedMs < confirmedMs);
      chosen.splice(at === -1 ? chosen.length : at, 0, { peer, confirmedMs });
      if (chosen.length > count) chosen.pop();
    }
    return chosen.map(({ peer }) => peer);
  }
}
