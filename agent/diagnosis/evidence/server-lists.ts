import { rowServersOf } from '../../model/target.js';
import type { TargetLooks } from './target-looks.js';

/** One DNS server of those that some nodes ask: nodes with another list say nothing of it. */
export interface AskedServer {
  /** From 0. */
  readonly number: number;
  /** The digest of the list. */
  readonly list: number;
  /** Most nodes have that list. */
  readonly isUsual: boolean;
}

/**
 * Which DNS servers nodes ask for a target. The rows tell the number of a server in the node's own list, so one number
 * may mean another server elsewhere: only looks with the same list are compared.
 */
export class ServerLists {
  readonly #looks: TargetLooks;
  readonly #addresses: readonly string[];
  readonly #own: ReturnType<typeof rowServersOf>;

  /** @param own the servers of the reader's node. Older agents do not tell theirs: they are taken for these */
  constructor(looks: TargetLooks, own: readonly string[]) {
    this.#looks = looks;
    this.#addresses = own;
    this.#own = rowServersOf(own);
  }

  digestAt(slot: number): number {
    return (this.#looks.asked[slot] ?? this.#own)?.digest ?? 0;
  }

  /** How many servers are asked there; undefined where it is not known. */
  countAt(slot: number): number | undefined {
    return (this.#looks.asked[slot] ?? this.#own)?.count;
  }

  /** The address of a server; undefined where only nodes with another list know it. */
  addressOf({ list, number }: Pick<AskedServer, 'list' | 'number'>): string | undefined {
    return list === this.#own?.digest ? this.#addresses[number] : undefined;
  }

  get ownFirst(): string | undefined {
    return this.#addresses[0];
  }

  /** The servers that fail anywhere while others of their list answer; the usual list first. */
  failing(): AskedServer[] {
    const masks = new Map<number, number>();
    for (const [slot, { servers }] of this.#looks.details) {
      const digest = this.digestAt(slot);
      if (servers !== 0) masks.set(digest, (masks.get(digest) ?? 0) | servers);
    }
    if (masks.size === 0) return [];
    const usual = this.#usual();
    const rank = (list: number): number => (list === usual ? -1 : list);
    const lists = [...masks].sort(([a], [b]) => rank(a) - rank(b));
    return lists.flatMap(([list, mask]) =>
      bitsOf(mask).map((number) => ({ number, list, isUsual: list === usual })),
    );
  }

  /** The digest of the list that most looks have; of two that are as many the lower one. */
  #usual(): number | undefined {
    const looks = new Map<number, number>();
    for (let slot = 0; slot < this.#looks.ageS.length; slot++) {
      if (this.#looks.stateAt(slot) === 'unknown') continue;
      const digest = this.digestAt(slot);
      looks.set(digest, (looks.get(digest) ?? 0) + 1);
    }
    return [...looks].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  }
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let bit = 0; mask >> bit; bit++) if ((mask >> bit) & 1) bits.push(bit);
  return bits;
}
