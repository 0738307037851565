import type { Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { beginS, mostAges } from './begin.js';
import { clockErrorS, type ProbeTimes } from './time-model.js';

/** A channel with a smaller share of failures than this is judged by the beginning of the others. */
const leastShare = 0.3;
/** So many failures begin a trouble of their own on a channel. */
const leastOwn = 3;

/** When the trouble of some paths began, by channel, in seconds ago; Infinity where none has any. */
export type Begins = readonly number[];

/** Collects for each channel how long ago some paths began to fail, and tells when their trouble began. */
export class AgesByChannel {
  readonly #ages = [0, 1, 2, 3].map(() => new Float64Array(mostAges));
  readonly #seen = [0, 0, 0, 0];
  readonly #windowS: readonly number[];

  constructor({ alone }: ProbeTimes) {
    this.#windowS = alone.map(({ sweepS }) => sweepS + clockErrorS);
  }

  clear(): void {
    this.#seen.fill(0);
  }

  /** Of many ages those that are spread over all are kept. */
  add(channel: number, ageS: number): void {
    const seen = this.#seen[channel] ?? 0;
    this.#seen[channel] = seen + 1;
    const ages = this.#ages[channel];
    if (!ages) return;
    if (seen < mostAges) ages[seen] = ageS;
    else {
      // The golden ratio spreads what is replaced evenly, and the same input gives the same output.
      const spread = seen * 0.618033988749895;
      const at = Math.floor((spread - Math.floor(spread)) * (seen + 1));
      if (at < mostAges) ages[at] = ageS;
    }
  }

  /** Adds what another one collected. */
  addAll(other: AgesByChannel): void {
    for (let channel = 0; channel < 4; channel++) {
      const seen = other.#seen[channel] ?? 0;
      const kept = Math.min(seen, mostAges);
      for (let at = 0; at < kept; at++) this.add(channel, other.#ages[channel]?.[at] ?? 0);
      this.#seen[channel] = (this.#seen[channel] ?? 0) + seen - kept;
    }
  }

  /** When the trouble of one channel began; undefined without failures. */
  #beginS(channel: number, seen: number): number | undefined {
    const ages = this.#ages[channel];
    if (seen === 0 || !ages) return undefined;
    const count = Math.min(seen, mostAges);
    for (let at = 0; at < count; at++) scratch[at] = ages[at] ?? 0;
    return beginS(scratch, this.#windowS[channel] ?? 0, count);
  }

  /** When the trouble began: on a channel with few failures it is that of the channel with the most. */
  begins(): Begins {
    const seen = this.#seen;
    const most = Math.max(...seen);
    if (most === 0) return always;
    const own = seen.map((count, channel) => this.#beginS(channel, count));
    const main = own.reduce<number>(
      (oldest, s, channel) => (seen[channel] === most ? Math.max(oldest, s ?? 0) : oldest),
      0,
    );
    return own.map((s, channel) => {
      const count = seen[channel] ?? 0;
      if (s === undefined) return main;
      if (count >= leastOwn || count >= leastShare * most) return s;
      return Math.abs(s - main) <= (this.#windowS[channel] ?? 0) ? s : main;
    });
  }
}

/** Where ages are sorted. One for all: each is done with at once. */
const scratch = new Float64Array(mostAges);

/** What is not about a moment is told by every row. */
export const always: Begins = [Infinity, Infinity, Infinity, Infinity];

/** What a tally knows of the paths that have a trouble. */
interface TroubledPaths {
  readonly times: ProbeTimes;
  /** For each entry, the channels that have the trouble. */
  readonly bad: Readonly<Uint8Array>;
  ageS(entry: number, channel: number): number;
  entriesOf(node: number, ways: Ways): ArrayLike<number>;
}

/** When the trouble of a node's paths began, in each direction. */
export class BeginTimes {
  readonly #tally: TroubledPaths;
  readonly #ages: AgesByChannel;

  constructor(tally: TroubledPaths) {
    this.#tally = tally;
    this.#ages = new AgesByChannel(tally.times);
  }

  /** Of the paths to a node, and of those from it. */
  of(node: number): readonly [to: Begins, from: Begins] {
    const [to, from] = [this.#begins(node, 'in'), this.#begins(node, 'out')];
    // Where nobody fails to reach it, what began is that it reaches nobody, and the other way round.
    return [to === always ? from : to, from === always ? to : from];
  }

  #begins(node: number, ways: Ways): Begins {
    const { bad } = this.#tally;
    this.#ages.clear();
    const entries = this.#tally.entriesOf(node, ways);
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0;
      for (const channel of channelsIn(bad[entry] ?? 0))
        this.#ages.add(channel, this.#tally.ageS(entry, channel));
    }
    return this.#ages.begins();
  }
}
