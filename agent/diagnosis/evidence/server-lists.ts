import { rowServersOf } from '../../model/target.js';
import type { TargetLooks } from './target-looks.js';

/**
 * Which DNS servers nodes ask for a target. The rows tell the number of a server in the node's own list, so one number
 * may mean another server elsewhere: only looks with the same list are compared.
 */
export class ServerLists {
  readonly #looks: TargetLooks;
  readonly #addresses: readonly string[];
  readonly #own: ReturnType<typeof rowServersOf>;
  /** The digest of the list that most looks have; of two that are as many the lower one. */
  readonly usual: number;

  /** @param own the servers of the reader's node. Older agents do not tell theirs: they are taken for these */
  constructor(looks: TargetLooks, own: readonly string[]) {
    this.#looks = looks;
    this.#addresses = own;
    this.#own = rowServersOf(own);
    const slotsOf = new Map<number, number>();
    for (const [slot, state] of looks.states.entries()) {
      if (state === 0) continue;
      const digest = this.digestAt(slot);
      slotsOf.set(digest, (slotsOf.get(digest) ?? 0) + 1);
    }
    const [[usual] = [0]] = [...slotsOf].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    this.usual = usual;
  }

  /** The digest of the list that is asked there. */
  digestAt(slot: number): number {
    return this.#isTold(slot) ? (this.#looks.serverLists[slot] ?? 0) : (this.#own?.digest ?? 0);
  }

  /** How many servers are asked there; undefined where it is not known. */
  countAt(slot: number): number | undefined {
    return this.#isTold(slot) ? this.#looks.serverCounts[slot] : this.#own?.count;
  }

  /** The address of a server; undefined where only nodes with another list know it. */
  addressOf(list: number, server: number): string | undefined {
    return list === this.#own?.digest ? this.#addresses[server] : undefined;
  }

  /** The first server of the reader's node. */
  get ownFirst(): string | undefined {
    return this.#addresses[0];
  }

  /** The servers that fail anywhere while others of their list answer, by their list and number; the usual list first. */
  failing(): { readonly list: number; readonly server: number }[] {
    const masks = new Map<number, number>();
    for (const [slot, { servers }] of this.#looks.details) {
      const digest = this.digestAt(slot);
      if (servers !== 0) masks.set(digest, (masks.get(digest) ?? 0) | servers);
    }
    const rank = (list: number): number => (list === this.usual ? -1 : list);
    const lists = [...masks].sort(([a], [b]) => rank(a) - rank(b));
    return lists.flatMap(([list, mask]) => bitsOf(mask).map((server) => ({ list, server })));
  }

  #isTold(slot: number): boolean {
    return (this.#looks.serverCounts[slot] ?? 0) > 0;
  }
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let bit = 0; mask >> bit; bit++) if ((mask >> bit) & 1) bits.push(bit);
  return bits;
}
