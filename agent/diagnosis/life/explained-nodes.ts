import { listGroupOf, listGroups, type RowCoverage } from '../../model/row-coverage.js';
import type { Cause } from '../nouns/cause.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { sidesOf } from '../nouns/subject.js';

/** The paths that a cause at zones or a group breaks in one direction. */
interface BrokenSide {
  readonly isFrom: (node: number) => boolean;
  readonly isTo: (node: number) => boolean;
  readonly channels: number;
}

/** To which nodes the paths of an observer fail by some causes, whether its row names them or only counts them. */
export class ExplainedNodes {
  readonly #index: ClusterIndex;
  #everywhere = 0;
  /** By node, the channels by which paths to it fail, and those by which all that it sends does. */
  readonly #to: Uint8Array;
  readonly #from: Uint8Array;
  readonly #sides: BrokenSide[] = [];
  /** By the channel and the sides that an observer is on: for each group of the node list, the hashes of the failing nodes, ascending. */
  readonly #hashes = new Map<string, readonly Float64Array[]>();

  constructor(index: ClusterIndex) {
    this.#index = index;
    this.#to = new Uint8Array(index.size);
    this.#from = new Uint8Array(index.size);
  }

  add({ subject, knownChannels: channels, ways }: Cause): void {
    if (subject.type === 'cluster') this.#everywhere |= channels;
    else if (subject.type === 'node') {
      const { node } = subject;
      if (ways !== 'out') this.#to[node] = (this.#to[node] ?? 0) | channels;
      if (ways !== 'in') this.#from[node] = (this.#from[node] ?? 0) | channels;
    } else if (subject.type !== 'pair') {
      const { inner, outer } = sidesOf(subject, this.#index);
      if (ways !== 'out') this.#sides.push({ isFrom: outer.isIn, isTo: inner.isIn, channels });
      if (ways !== 'in') this.#sides.push({ isFrom: inner.isIn, isTo: outer.isIn, channels });
    }
  }

  /** How many of the paths of an observer fail on a channel by these causes, to nodes of which its row tells nothing else; Infinity if all do. */
  countBeyond(observer: number, { horizons, groups }: RowCoverage, channel: number): number {
    const isSo = (mask = 0) => ((mask >> channel) & 1) === 1;
    if (isSo(this.#everywhere) || isSo(this.#from[observer])) return Infinity;
    const horizon = horizons[channel] ?? -1;
    const on = this.#sides.filter(({ isFrom, channels }) => isSo(channels) && isFrom(observer));
    const key = [channel, ...on.map((side) => this.#sides.indexOf(side))].join();
    const byGroup = getOrInsert(this.#hashes, key, () => this.#hashesOf(channel, on));
    // Its path to itself does not fail, and of nodes that it may not know it counts nothing.
    const hash = this.#index.hashes[observer] ?? 0;
    const isToItself = isSo(this.#to[observer]) || on.some(({ isTo }) => isTo(observer));
    const isItself = isToItself && hash > horizon && ((groups >> listGroupOf(hash)) & 1) === 1;
    let count = isItself ? -1 : 0;
    for (let group = 0; group < byGroup.length; group++) {
      const hashes = byGroup[group];
      if (hashes && (groups >> group) & 1) count += hashes.length - countUpTo(hashes, horizon);
    }
    return count;
  }

  #hashesOf(channel: number, sides: readonly BrokenSide[]): readonly Float64Array[] {
    const groups: number[][] = Array.from({ length: listGroups }, () => []);
    const { size, hashes, masks } = this.#index;
    const isOn = (mask = 0) => ((mask >> channel) & 1) === 1;
    const isOnSide = (node: number) => isOn(masks[node]) && sides.some(({ isTo }) => isTo(node));
    for (let node = 0; node < size; node++) {
      if (!isOn(this.#to[node]) && !isOnSide(node)) continue;
      const hash = hashes[node] ?? 0;
      groups[listGroupOf(hash)]?.push(hash);
    }
    return groups.map((ofGroup) => new Float64Array(ofGroup).sort());
  }
}
