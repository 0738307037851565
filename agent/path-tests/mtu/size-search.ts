import type { RouterWord } from '../../../api/schema/v1/path-tests.js';

/** What became of one packet. */
export type SizeResult = 'answered' | 'lost' | { readonly router: RouterWord };

/** What the search knows at its end. */
export interface SizeLimit {
  readonly result: 'fits' | 'limited' | 'unanswered';
  readonly largestBytes?: number;
  readonly smallestLostBytes?: number;
  readonly saidBy?: RouterWord;
  readonly untrue?: RouterWord;
  readonly packets: number;
}

export const maxPackets = 20;
/** A packet that any path of today takes. */
export const smallBytes = 96;
const smallTries = 3;
/** A packet of the first size that is lost may be lost by chance, so it is sent again. */
const largeTries = 2;
/** The sizes at which the search begins to halve: nearly all limits are above 1,280. */
const pivots = [1500, 1280];
/** The least that a router may name (RFC 791, RFC 8200). */
const leastMtu = { 4: 68, 6: 1280 } as const;

/**
 * Searches the largest packet that passes, with at most twenty packets: a small one, the largest, then
 * what a router named, else by halving. A size that is lost is sent again, as it may be lost by chance. What a router says is only a guess where to look: the size that
 * it names must pass and one byte more must not.
 */
export class SizeSearch {
  readonly #maxBytes: number;
  readonly #family: 4 | 6;
  #packets = 0;
  #smallTries = 0;
  #largeTries = 0;
  #passed = 0;
  /** The smallest packet that did not pass. */
  #lost: number;
  #words: RouterWord[] = [];
  #guess: number | undefined;
  /** A size that was lost once, perhaps by chance. */
  #lostOnce: number | undefined;

  /** @param maxBytes what the interface takes */
  constructor(maxBytes: number, family: 4 | 6) {
    this.#maxBytes = maxBytes;
    this.#family = family;
    this.#lost = maxBytes + 1;
  }

  /** The size of the next packet; undefined at the end. */
  next(): number | undefined {
    if (this.#packets >= maxPackets) return undefined;
    if (this.#passed === 0) return this.#smallTries < smallTries ? smallBytes : undefined;
    if (this.#passed + 1 >= this.#lost) return undefined;
    if (this.#isGuessOpen(this.#lostOnce)) return this.#lostOnce;
    if (this.#largeTries === 0) return this.#maxBytes;
    if (this.#isGuessOpen(this.#guess)) return this.#guess;
    if (this.#largeTries < largeTries && this.#words.length === 0) return this.#maxBytes;
    const word = this.#words.at(-1);
    if (word && this.#passed === word.bytes && word.bytes + 1 < this.#lost) return word.bytes + 1;
    const pivot = pivots.find((bytes) => this.#isGuessOpen(bytes) && bytes > this.#passed);
    if (pivot !== undefined && this.#passed <= smallBytes) return pivot;
    return Math.floor((this.#passed + this.#lost) / 2);
  }

  /** Takes what became of a packet of that size. */
  take(bytes: number, result: SizeResult): void {
    this.#packets++;
    if (bytes === smallBytes && this.#passed === 0) this.#smallTries++;
    if (bytes === this.#maxBytes) this.#largeTries++;
    if (result === 'answered') {
      this.#passed = Math.max(this.#passed, bytes);
      this.#lostOnce = undefined;
      // The same size was lost before, by chance.
      if (this.#lost <= bytes) this.#lost = this.#maxBytes + 1;
      return;
    }
    const isLarge = bytes === this.#maxBytes;
    const isFirstLarge = result === 'lost' && isLarge && this.#largeTries < largeTries;
    const isBetween = bytes !== smallBytes && !isLarge;
    if (result === 'lost' && isBetween && this.#lostOnce !== bytes) {
      this.#lostOnce = bytes;
      return;
    }
    this.#lostOnce = undefined;
    if (bytes !== smallBytes && !isFirstLarge) this.#lost = Math.min(this.#lost, bytes);
    if (typeof result === 'string') return;
    const { router } = result;
    this.#words.push(router);
    this.#guess = router.bytes;
  }

  /** Whether a router may say this of a packet of that size. */
  isPossible(said: number, packetBytes: number): boolean {
    return said >= leastMtu[this.#family] && said < packetBytes;
  }

  limit(): SizeLimit {
    const packets = this.#packets;
    if (this.#passed === 0) return { result: 'unanswered', packets };
    const largestBytes = this.#passed;
    if (largestBytes >= this.#maxBytes) return { result: 'fits', largestBytes, packets };
    const saidBy = this.#words.find(({ bytes }) => bytes === largestBytes);
    const untrue = this.#words.find(({ bytes }) => bytes < largestBytes);
    return {
      result: 'limited',
      largestBytes,
      smallestLostBytes: this.#lost,
      ...(saidBy && { saidBy }),
      ...(untrue && { untrue }),
      packets,
    };
  }

  #isGuessOpen(bytes: number | undefined): bytes is number {
    return bytes !== undefined && bytes > this.#passed && bytes < this.#lost;
  }
}
