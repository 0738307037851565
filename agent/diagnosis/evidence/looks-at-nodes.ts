import { channelsIn } from '../nouns/channel-mask.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { CoveredPaths } from './covered-paths.js';
import type { Observations } from './observations.js';
import { hintS, type ProbeTime, type ProbeTimes } from './time-model.js';

/** Fewer nodes that fail at about the same time are looked at within seconds of each other: they count as if there were one. */
const leastOthers = 64;

/**
 * How soon observers look at a node of which hints tell. They look at all of these one after the other. How many began to fail
 * at about the same time is what the local agent sees itself: its own row alone names all of them.
 */
export class LooksAtNodes {
  readonly #times: ProbeTimes;
  readonly #observations: Observations;
  readonly #index: ClusterIndex;
  readonly #explained: CoveredPaths | undefined;
  readonly #known = new Map<number, readonly ProbeTime[]>();
  /** By tenth of a second: thousands of nodes began to fail in few of them. */
  readonly #timesAt = new Map<number, readonly ProbeTime[]>();
  #agesS: readonly Float64Array[] | undefined;

  /** @param explained what causes explain that are known: of others it is not known how many nodes they are about */
  constructor(
    times: ProbeTimes,
    observations: Observations,
    index: ClusterIndex,
    explained: CoveredPaths | undefined,
  ) {
    this.#explained = explained;
    this.#times = times;
    this.#observations = observations;
    this.#index = index;
  }

  /**
   * By the number of a channel.
   * @param beganS when the node began to fail, in seconds ago
   */
  times(beganS: number): readonly ProbeTime[] {
    // Those of one tenth of a second are counted together.
    const tenths = Math.round(10 * beganS);
    return getOrInsert(this.#timesAt, tenths, () =>
      this.#times.alone.flatMap((_, channel) => this.#time(channel, tenths / 10) ?? []),
    );
  }

  #time(channel: number, beganS: number): ProbeTime | undefined {
    this.#agesS ??= this.#agesOfNodes();
    const agesS = this.#agesS[channel & 1] ?? [];
    const { sweepS = 0 } = this.#times.alone[channel] ?? {};
    const later = countUpTo(agesS, beganS - sweepS);
    const most = countUpTo(agesS, beganS + sweepS) - later;
    if (most < leastOthers) return this.#beside(0, channel);
    // Those that began to fail before, and were looked at by then, are not waited for.
    const { hintedS = 0, confirmS = 0 } = this.#beside(most, channel) ?? {};
    const waitS = hintS + hintedS - (this.#beside(0, channel)?.hintedS ?? 0) + confirmS;
    const others = countUpTo(agesS, beganS + Math.min(waitS, sweepS)) - later;
    return this.#beside(others < leastOthers ? 0 : others, channel);
  }

  #beside(others: number, channel: number): ProbeTime | undefined {
    return getOrInsert(this.#known, others, () => this.#times.beside(others))[channel];
  }

  /** By protocol, for how long the nodes fail that the local agent cannot reach, ascending. */
  #agesOfNodes(): Float64Array[] {
    const { own, observerOf, firstOf, entries } = this.#observations;
    const observer = observerOf[this.#index.numberOf.get(own?.observer ?? '') ?? -1] ?? -1;
    const explained = this.#explained;
    const end = observer === -1 || !explained ? 0 : (firstOf[observer + 1] ?? 0);
    return [0b0101, 0b1010].map((ofProtocol) => {
      const agesS: number[] = [];
      for (let entry = firstOf[observer] ?? 0; entry < end; entry++) {
        // What is about the local node itself, others do not see.
        const [from, to] = [entries.from[entry] ?? 0, entries.to[entry] ?? 0];
        const known = explained?.channelsBeside(from, from, to) ?? 0;
        let youngestS = Infinity;
        for (const channel of channelsIn((entries.fail[entry] ?? 0) & ofProtocol & known))
          youngestS = Math.min(youngestS, entries.ageS[4 * entry + channel] ?? 0);
        if (youngestS !== Infinity) agesS.push(youngestS);
      }
      return Float64Array.from(agesS).sort();
    });
  }
}
