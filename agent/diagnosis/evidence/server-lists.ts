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

/** Which DNS servers nodes ask for a target. */
export type ServerLists = ReturnType<typeof serverLists>;

/**
 * Tells which DNS servers nodes ask for a target. The rows tell the number of a server in the node's own list, so one number
 * may mean another server elsewhere: only looks with the same list are compared.
 * @param addresses the servers of the reader's node. Older agents do not tell theirs: they are taken for these
 */
export function serverLists(looks: TargetLooks, addresses: readonly string[]) {
  const own = rowServersOf(addresses);
  const digestAt = (slot: number): number => (looks.asked[slot] ?? own)?.digest ?? 0;
  return {
    digestAt,

    /** How many servers are asked there; undefined where it is not known. */
    countAt: (slot: number): number | undefined => (looks.asked[slot] ?? own)?.count,

    /** The address of a server; undefined where only nodes with another list know it. */
    addressOf: ({ list, number }: Pick<AskedServer, 'list' | 'number'>): string | undefined =>
      list === own?.digest ? addresses[number] : undefined,

    ownFirst: addresses[0],

    /** The servers that fail anywhere while others of their list answer; the usual list first. */
    failing(): AskedServer[] {
      const masks = new Map<number, number>();
      for (const [slot, { servers }] of looks.details) {
        const digest = digestAt(slot);
        if (servers !== 0) masks.set(digest, (masks.get(digest) ?? 0) | servers);
      }
      if (masks.size === 0) return [];
      const usual = usualList();
      const rank = (list: number): number => (list === usual ? -1 : list);
      const lists = [...masks].sort(([a], [b]) => rank(a) - rank(b));
      return lists.flatMap(([list, mask]) =>
        bitsOf(mask).map((number) => ({ number, list, isUsual: list === usual })),
      );
    },
  };

  /** The digest of the list that most looks have; of two that are as many the lower one. */
  function usualList(): number | undefined {
    const counts = new Map<number, number>();
    for (let slot = 0; slot < looks.ageS.length; slot++) {
      if (looks.stateAt(slot) === 'unknown') continue;
      const digest = digestAt(slot);
      counts.set(digest, (counts.get(digest) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  }
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let bit = 0; mask >> bit; bit++) if ((mask >> bit) & 1) bits.push(bit);
  return bits;
}
