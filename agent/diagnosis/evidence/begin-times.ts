import { beginS, mostAges } from './begin.js';
import type { CoveredPaths } from './covered-paths.js';
import { clockErrorS, type ProbeTimes } from './time-model.js';
import type { TroubledEntries } from './troubled-entries.js';

/** A channel with a smaller share of failures than this is judged by the beginning of the others. */
const leastShare = 0.3;
/** So many failures begin a trouble of their own on a channel. */
const leastOwn = 3;

/** When the trouble of some paths began, by channel, in seconds ago; Infinity where none has any. */
export type Begins = readonly number[];

/** Collects for each channel how long ago some paths began to fail, and tells when their trouble began. */
export class AgesByChannel {
  /** Those of each channel one after the other. */
  readonly #ages = new Float64Array(4 * mostAges);
  readonly #seen = [0, 0, 0, 0];
  readonly #windowS: readonly number[];

  constructor({ alone }: ProbeTimes) {
    this.#windowS = alone.map(({ sweepS }) => sweepS + clockErrorS);
  }

  clear(): void {
    for (let channel = 0; channel < 4; channel++) this.#seen[channel] = 0;
  }

  /** Adds the ages of some channels of an entry, by four times the entry plus the channel. Of many those are kept that are spread over all. */
  add(mask: number, all: ArrayLike<number>, entry: number): void {
    for (let channel = 0; channel < 4; channel++)
      if ((mask >> channel) & 1) this.#add(channel, all, 4 * entry + channel);
  }

  #add(channel: number, all: ArrayLike<number>, number: number): void {
    const seen = this.#seen[channel] ?? 0;
    this.#seen[channel] = seen + 1;
    const at = places[seen] ?? placeOf(seen);
    if (at < mostAges) this.#ages[mostAges * channel + at] = all[number] ?? 0;
  }

  addAll(other: AgesByChannel): void {
    for (let channel = 0; channel < 4; channel++) {
      const seen = other.#seen[channel] ?? 0;
      const kept = Math.min(seen, mostAges);
      for (let at = 0; at < kept; at++) this.#add(channel, other.#ages, mostAges * channel + at);
      this.#seen[channel] = (this.#seen[channel] ?? 0) + seen - kept;
    }
  }

  /** When the trouble of one channel began; 0 without failures. */
  #beginS(channel: number): number {
    const count = Math.min(this.#seen[channel] ?? 0, mostAges);
    for (let at = 0; at < count; at++) scratch[at] = this.#ages[mostAges * channel + at] ?? 0;
    return beginS(scratch, this.#windowS[channel] ?? 0, count) ?? 0;
  }

  /** When the trouble began: on a channel with few failures as on that with the most, and on one without any as `others` tell. */
  begins(others?: AgesByChannel): Begins {
    const seen = this.#seen;
    const most = Math.max(...seen);
    if (most === 0) return others?.begins() ?? always;
    const begins = [0, 0, 0, 0];
    let main = 0;
    for (let channel = 0; channel < 4; channel++) {
      const s = this.#beginS(channel);
      begins[channel] = s;
      if (seen[channel] === most) main = Math.max(main, s);
    }
    for (let channel = 0; channel < 4; channel++) {
      const from = others && seen[channel] === 0 ? others : this;
      const count = from.#seen[channel] ?? 0;
      const s = from === this ? (begins[channel] ?? 0) : from.#beginS(channel);
      const isOwn = count >= leastOwn || count >= leastShare * most;
      const isApart = s - main > (this.#windowS[channel] ?? 0);
      begins[channel] = isOwn ? s : isApart ? main : Math.max(s, main);
    }
    return begins;
  }
}

/** Which of the ages that are kept another one replaces, by how many were seen before; none if it is `mostAges` or more. */
function placeOf(seen: number): number {
  // The golden ratio spreads what is replaced evenly, and the same input gives the same output.
  const spread = seen * 0.618033988749895;
  return seen < mostAges ? seen : Math.floor((spread - Math.floor(spread)) * (seen + 1));
}

/** The same for as many as fail between two zones of a large cluster: it is asked for each failing path. */
const places = new Uint8Array(65_536).map((_, seen) => Math.min(placeOf(seen), mostAges));

/** Where ages are sorted. One for all: each is done with at once. */
const scratch = new Float64Array(mostAges);

/** What is not about a moment is told by every row. */
export const always: Begins = [Infinity, Infinity, Infinity, Infinity];

/**
 * Tells when the trouble of the paths to a node and of those from it began, by the node and the entries about it.
 * @param explained what known causes explain: when that began tells nothing of another node
 */
export function beginsOfNodes(tally: TroubledEntries, explained: CoveredPaths | undefined) {
  const { bad, times, observations } = tally;
  const { from, to, ageS } = observations.entries;
  const [ages, explainedAges] = [new AgesByChannel(times), new AgesByChannel(times)];
  const clear = () => [ages, explainedAges].forEach((one) => one.clear());
  const add = (entry: number, node: number, observer: number, target: number): void => {
    const mask = bad[entry] ?? 0;
    const others = explained?.channelsBeside(node, observer, target) ?? 0;
    ages.add(mask & ~others, ageS, entry);
    if (others !== 0) explainedAges.add(mask & others, ageS, entry);
  };
  return (node: number, about: Int32Array): readonly [to: Begins, from: Begins] => {
    clear();
    about.forEach((entry) => add(entry, node, from[entry] ?? -1, node));
    const into = ages.begins(explainedAges);
    clear();
    const [first, end] = tally.rangeFrom(node);
    for (let entry = first; entry < end; entry++) add(entry, node, node, to[entry] ?? -1);
    const outOf = ages.begins(explainedAges);
    // Where nobody fails to reach it, what began is that it reaches nobody, and the other way round.
    return [into === always ? outOf : into, outOf === always ? into : outOf];
  };
}
