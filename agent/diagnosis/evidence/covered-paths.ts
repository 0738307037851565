import { singleWays, type Cause } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { FindingMemory } from '../nouns/memory.js';
import { subjectOf } from '../nouns/named-cause.js';
import { nodesAt } from '../nouns/subject.js';
import { isPathOf } from './paths-of.js';

type Covering = Pick<Cause, 'subject' | 'channels' | 'ways'>;

/** Which channels of which paths some causes break. */
export class CoveredPaths {
  readonly #index: ClusterIndex;
  /** By node: the channels of all paths to it, and of all from it. */
  readonly #to: Uint8Array;
  readonly #from: Uint8Array;
  /** By the number of the first times the number of nodes plus that of the second. */
  readonly #pairs = new Map<number, number>();
  readonly #regions: { channels: number; isPath: ReturnType<typeof isPathOf> }[] = [];

  constructor(index: ClusterIndex, causes: Iterable<Covering>) {
    this.#index = index;
    this.#to = new Uint8Array(index.size);
    this.#from = new Uint8Array(index.size);
    for (const cause of causes) this.#add(cause);
  }

  /** The channels of a path that are broken, as a mask. */
  channelsOf(from: number, to: number): number {
    return (this.#to[to] ?? 0) | (this.#from[from] ?? 0) | this.#withoutNodes(from, to);
  }

  /** The same without what is about one of its two nodes. */
  channelsBeside(node: number, from: number, to: number): number {
    const other = node === to ? this.#from[from] : this.#to[to];
    return (other ?? 0) | this.#withoutNodes(from, to);
  }

  #withoutNodes(from: number, to: number): number {
    let channels = this.#pairs.get(from * this.#index.size + to) ?? 0;
    for (const { isPath, channels: its } of this.#regions) if (isPath(from, to)) channels |= its;
    return channels;
  }

  #add({ subject, channels, ways }: Covering): void {
    const { size } = this.#index;
    switch (subject.type) {
      case 'node':
      case 'group':
        for (const node of nodesAt(subject, this.#index)) {
          if (ways !== 'out') this.#to[node] = (this.#to[node] ?? 0) | channels;
          if (ways !== 'in') this.#from[node] = (this.#from[node] ?? 0) | channels;
        }
        return;
      case 'pair':
        for (const way of singleWays[ways]) {
          const [from, to] = way === 'in' ? [subject.from, subject.to] : [subject.to, subject.from];
          const key = from * size + to;
          this.#pairs.set(key, (this.#pairs.get(key) ?? 0) | channels);
        }
        return;
      case 'cluster':
      case 'zones':
      case 'groups':
        this.#regions.push({ channels, isPath: isPathOf(subject, ways, this.#index) });
    }
  }
}

/** The failing paths that the causes of the last run explained, in both directions; undefined if there were none. */
export function formerlyExplained(
  memory: ReadonlyMap<string, FindingMemory> | undefined,
  index: ClusterIndex,
): CoveredPaths | undefined {
  const causes: Covering[] = [];
  for (const { seenSinceMs, causes: known } of memory?.values() ?? []) {
    if (seenSinceMs === undefined) continue;
    for (const cause of known) {
      if (cause.trouble !== 'broken' || cause.target !== undefined) continue;
      const subject = subjectOf(cause, index);
      if (subject) causes.push({ subject, channels: cause.channels, ways: 'both' });
    }
  }
  return causes.length === 0 ? undefined : new CoveredPaths(index, causes);
}
