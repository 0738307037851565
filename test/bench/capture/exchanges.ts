import type { Echo } from './frame.js';

/** A request and its reply, with the kernel's timestamps at the device. */
export interface Exchange {
  readonly address: number;
  readonly id: number;
  /** When the reply arrived, in epoch milliseconds. */
  readonly replyMs: number;
  readonly rttNs: number;
}

/** A moment on CLOCK_REALTIME. */
export interface Stamp {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Above these numbers the oldest are dropped, so that a capture cannot fill the memory. */
const mostWaiting = 100_000;
const mostExchanges = 2_000_000;

/** Joins requests with their replies by address, identifier and sequence number. */
export class Exchanges {
  readonly #waiting = new Map<string, Stamp>();
  readonly #complete: Exchange[] = [];

  add({ kind, address, id, sequence }: Echo, stamp: Stamp): void {
    const key = `${address} ${id} ${sequence}`;
    if (kind === 'request') {
      // The key is deleted first, so that a repeated sequence number becomes the newest entry.
      this.#waiting.delete(key);
      this.#waiting.set(key, stamp);
      if (this.#waiting.size > mostWaiting) this.#forgetOldest();
      return;
    }
    const sent = this.#waiting.get(key);
    if (!sent || this.#complete.length >= mostExchanges) return;
    this.#waiting.delete(key);
    this.#complete.push({
      address,
      id,
      replyMs: stamp.seconds * 1000 + stamp.nanoseconds / 1e6,
      rttNs: (stamp.seconds - sent.seconds) * 1e9 + (stamp.nanoseconds - sent.nanoseconds),
    });
  }

  get complete(): readonly Exchange[] {
    return this.#complete;
  }

  #forgetOldest(): void {
    for (const key of this.#waiting.keys()) {
      this.#waiting.delete(key);
      return;
    }
  }
}

/** Writes the exchanges as lines of text, for another process. */
export function writeExchanges(exchanges: readonly Exchange[]): string {
  return exchanges
    .map(({ address, id, replyMs, rttNs }) => `${address} ${id} ${replyMs} ${rttNs}\n`)
    .join('');
}

/**
 * Reads what `writeExchanges` wrote.
 * @throws Error for an invalid line
 */
export function readExchanges(text: string): Exchange[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const numbers = line.split(' ').map(Number);
      const [address = NaN, id = NaN, replyMs = NaN, rttNs = NaN] = numbers;
      if (numbers.length !== 4 || numbers.some(Number.isNaN)) {
        throw new Error(`expected four numbers of an exchange, got ${JSON.stringify(line)}`);
      }
      return { address, id, replyMs, rttNs };
    });
}
