import { countUpTo, type ClusterIndex, type Zone } from './cluster-index.js';
import type { Observations } from './observations.js';
import type { WitnessCounter } from './witnesses.js';
import type { Trouble } from './cause.js';

/** For each channel, how many paths work, and how many of these are degraded. */
export interface Share {
  readonly degraded: number[];
  readonly of: number[];
}

export function emptyShare(): Share {
  return { degraded: [0, 0, 0, 0], of: [0, 0, 0, 0] };
}

/** The degraded paths, and which of them have no cause yet. */
export class DegradedPaths {
  readonly index: ClusterIndex;
  readonly observations: Observations;
  /** For each entry, the degraded channels that have no cause yet. */
  readonly open: Uint8Array;
  readonly #witnesses: WitnessCounter;

  constructor(
    index: ClusterIndex,
    observations: Observations,
    trouble: Exclude<Trouble, 'broken'>,
    witnesses: WitnessCounter,
  ) {
    this.index = index;
    this.observations = observations;
    this.open = observations[trouble].slice(0, observations.size);
    this.#witnesses = witnesses;
  }

  /** Counts the paths that lead to a node. */
  to(node: number): Share {
    const { observations, index } = this;
    const share = emptyShare();
    const mask = index.masks[node] ?? 0;
    for (let channel = 0; channel < 4; channel++) {
      const has = (mask >> channel) & 1;
      share.of[channel] = has ? this.#witnesses.count(node, channel, Infinity) : 0;
    }
    const last = observations.firstTo[node + 1] ?? 0;
    for (let at = observations.firstTo[node] ?? 0; at < last; at++) {
      this.count(share, observations.byTarget[at] ?? 0);
    }
    return share;
  }

  /** Counts a node's own paths. */
  from(node: number): Share {
    const { observations, index } = this;
    const share = emptyShare();
    const number = observations.observerOf[node] ?? -1;
    this.#addKnown(share, node, index.whole, 1);
    const last = observations.firstOf[number + 1] ?? 0;
    if (number === -1) return share;
    for (let entry = observations.firstOf[number] ?? 0; entry < last; entry++) {
      this.count(share, entry);
    }
    return share;
  }

  /** Counts the paths from some nodes to the nodes of a zone, without those of another zone. */
  between(
    from: readonly number[],
    to: Zone,
    without: Zone | undefined,
    entries: readonly number[],
  ): Share {
    const share = emptyShare();
    for (const node of from) {
      this.#addKnown(share, node, to, 1);
      if (without) this.#addKnown(share, node, without, -1);
    }
    for (const entry of entries) this.count(share, entry);
    return share;
  }

  /** Adds an entry's degraded paths, and subtracts the paths that fail or are unknown. */
  count(share: Share, entry: number): void {
    const notOk = (this.observations.fail[entry] ?? 0) | (this.observations.unknown[entry] ?? 0);
    const open = this.open[entry] ?? 0;
    for (let channel = 0; channel < 4; channel++) {
      share.degraded[channel] = (share.degraded[channel] ?? 0) + ((open >> channel) & 1);
      share.of[channel] = (share.of[channel] ?? 0) - ((notOk >> channel) & 1);
    }
  }

  #addKnown(share: Share, node: number, zone: Zone, sign: 1 | -1): void {
    const { observations, index } = this;
    const observer = observations.observers[observations.observerOf[node] ?? -1];
    if (!observer) return;
    const hash = index.hashes[node] ?? 0;
    observer.horizons.forEach((horizon, channel) => {
      if (horizon < 0) return;
      const has = ((index.masks[node] ?? 0) >> channel) & 1;
      const itself = zone === index.whole && has && hash <= horizon ? 1 : 0;
      const known = countUpTo(zone.hashes[channel] ?? [], horizon) - itself;
      share.of[channel] = (share.of[channel] ?? 0) + sign * known;
    });
  }
}

/** The sum of two shares. */
export function addShares(a: Share, b: Share): Share {
  const add = (x: readonly number[], y: readonly number[]) =>
    x.map((value, channel) => value + (y[channel] ?? 0));
  return { degraded: add(a.degraded, b.degraded), of: add(a.of, b.of) };
}
