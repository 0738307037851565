import { shuffled } from '../../platform/shuffled.js';

/** So many random peers are tried to find one that is fit. */
const mostTries = 16;

/** The peers that exchanged something at least once. */
export class TalkingPeers {
  readonly #random: () => number;
  /** For a random choice. */
  #list: string[] = [];
  readonly #set = new Set<string>();

  /** @param random a number from 0 to below 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  has(peer: string): boolean {
    return this.#set.has(peer);
  }

  note(peer: string): void {
    if (this.#set.has(peer)) return;
    this.#set.add(peer);
    this.#list.push(peer);
  }

  /** Forgets peers that are listed no more. */
  retain(isListed: (peer: string) => boolean): void {
    this.#list = this.#list.filter(isListed);
    this.#set.clear();
    for (const peer of this.#list) this.#set.add(peer);
  }

  /** All of them in random order. */
  inRandomOrder(): string[] {
    return shuffled(this.#list, this.#random);
  }

  /** A random peer that is fit; undefined if none was found. Among few peers all are tried. */
  choose(isFit: (peer: string) => boolean): string | undefined {
    for (let tries = 0; tries < mostTries; tries++) {
      const peer = this.#list[Math.floor(this.#random() * this.#list.length)];
      if (peer !== undefined && isFit(peer)) return peer;
    }
    // Among few most may be unfit, and chance may miss the others.
    return this.#list.length <= 4 * mostTries ? this.#list.find(isFit) : undefined;
  }
}
