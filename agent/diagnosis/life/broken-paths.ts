import { isPathOf } from '../evidence/paths-of.js';
import type { Tally } from '../evidence/tally.js';
import type { Candidate } from '../nouns/candidate.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { nodesAt } from '../nouns/subject.js';

/** A lossy or slow path says nothing new where a cause says that it is broken. It is told for what it has beside that: this share of its paths. */
const leastApart = 0.5;
/** So many entries of a cause stand for all. */
const mostEntries = 1000;

/** Which paths the causes of open and coming findings say are broken. */
export class BrokenPaths {
  readonly #index: ClusterIndex;
  /** By node: the channels of all paths to it, and of all from it. */
  readonly #to: Uint8Array;
  readonly #from: Uint8Array;
  /** By the number of the first times the number of nodes plus that of the second. */
  readonly #pairs = new Map<number, number>();
  readonly #regions: {
    readonly channels: number;
    readonly isPath: ReturnType<typeof isPathOf>;
  }[] = [];

  constructor(candidates: readonly Candidate[], index: ClusterIndex) {
    this.#index = index;
    this.#to = new Uint8Array(index.size);
    this.#from = new Uint8Array(index.size);
    for (const { finding, explained } of candidates) {
      if (finding.severity !== 'broken') continue;
      for (const cause of explained) if (cause.trouble === 'broken') this.#add(cause);
    }
  }

  /**
   * Whether most of what lossy or slow paths, or lost large packets, are explained by are paths that are broken anyway.
   * @param tallies what the entries of each trouble are counted from
   */
  covers({ explained }: Candidate, tallies: readonly Tally[]): boolean {
    let [covered, all] = [0, 0];
    for (const { trouble, entries, knownChannels } of explained) {
      const tally = tallies.find((one) => one.trouble === trouble);
      if (!tally) continue;
      const { from, to } = tally.observations.entries;
      const step = Math.ceil(entries.length / mostEntries);
      for (let at = 0; at < entries.length; at += step) {
        const entry = entries[at] ?? 0;
        const channels = (tally.bad[entry] ?? 0) & knownChannels;
        all += channelsIn(channels).length;
        covered += channelsIn(channels & this.#channelsOf(from[entry] ?? 0, to[entry] ?? 0)).length;
      }
    }
    return all > 0 && covered > leastApart * all;
  }

  #add(cause: Cause): void {
    const { subject, channels, ways } = cause;
    const add = (masks: Uint8Array, node: number) => (masks[node] = (masks[node] ?? 0) | channels);
    switch (subject.type) {
      case 'node':
      case 'group':
        for (const node of nodesAt(subject, this.#index)) {
          if (ways !== 'out') add(this.#to, node);
          if (ways !== 'in') add(this.#from, node);
        }
        return;
      case 'pair': {
        const { from, to } = subject;
        const { size } = this.#index;
        const keys = [
          ...(ways === 'out' ? [] : [from * size + to]),
          ...(ways === 'in' ? [] : [to * size + from]),
        ];
        for (const key of keys) this.#pairs.set(key, (this.#pairs.get(key) ?? 0) | channels);
        return;
      }
      case 'cluster':
      case 'zones':
      case 'groups':
        this.#regions.push({ channels, isPath: isPathOf(subject, ways, this.#index) });
    }
  }

  #channelsOf(from: number, to: number): number {
    let channels = (this.#to[to] ?? 0) | (this.#from[from] ?? 0);
    channels |= this.#pairs.get(from * this.#index.size + to) ?? 0;
    for (const { isPath, channels: its } of this.#regions) if (isPath(from, to)) channels |= its;
    return channels;
  }
}
