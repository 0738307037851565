import { isEnough } from '../results/rtt-summary.js';

/** The percentiles are those of so long a time. */
export const recentRttsMs = 3_600_000;

const slotMs = 300_000;
const slots = recentRttsMs / slotMs;
/** So many counts for each doubling of a round trip: a count stands for those within 2 % of its middle. */
const perDoubling = 16;
const leastNs = 1000;
/** Up to an hour. */
const sizes = perDoubling * 32;

interface Slot {
  readonly number: number;
  readonly counts: Uint32Array;
}

/** The round trips of the last hour, counted by their size: as many as there are, in memory of a fixed size. */
export class RecentRtts {
  /** The oldest first. Those of which none came take no memory. */
  readonly #slots: Slot[] = [];

  add(rttNs: number, nowMs: number): void {
    const number = Math.floor(nowMs / slotMs);
    let slot = this.#slots.at(-1);
    if (slot?.number !== number) {
      slot = { number, counts: new Uint32Array(sizes) };
      this.#slots.push(slot);
      this.#forgetOld(number);
    }
    const size = Math.round(perDoubling * Math.log2(Math.max(rttNs, leastNs) / leastNs));
    const at = Math.min(size, sizes - 1);
    slot.counts[at] = (slot.counts[at] ?? 0) + 1;
  }

  /** The round trip that such a share of them does not exceed (nearest rank), in nanoseconds; undefined where they are too few. */
  quantileNs(share: number, nowMs: number): number | undefined {
    this.#forgetOld(Math.floor(nowMs / slotMs));
    const count = this.#slots.reduce(
      (sum, { counts }) => counts.reduce((inSlot, one) => inSlot + one, sum),
      0,
    );
    if (!isEnough(share, count)) return undefined;
    let left = Math.ceil(share * count);
    for (let at = 0; at < sizes; at++) {
      for (const { counts } of this.#slots) left -= counts[at] ?? 0;
      if (left <= 0) return leastNs * 2 ** (at / perDoubling);
    }
    return undefined;
  }

  #forgetOld(number: number): void {
    while (this.#slots[0] && this.#slots[0].number <= number - slots) this.#slots.shift();
  }
}
