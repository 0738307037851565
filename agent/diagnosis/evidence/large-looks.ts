import { channelNumber } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import type { RowLarge, RowLargeLoss } from '../../model/row-large.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { EntryList } from './entry-list.js';
import { orderEntries } from './order-entries.js';
import type { DiagnosisOutput } from '../nouns/diagnosis-input.js';
import { finished } from '../nouns/steps.js';

/** At most so many nodes are told to be in doubt: the same ones on every agent. */
const mostDoubted = 64;

/** Collects what rows say of large packets. Mostly they say nothing. */
export class LargeLooks {
  readonly #index: ClusterIndex;
  readonly #said: { observer: number; large: RowLarge; bodyAgeS: number }[] = [];
  readonly #losses = new Map<number, RowLargeLoss>();

  constructor(index: ClusterIndex) {
    this.#index = index;
  }

  /** Takes a row. Those of one observer come once, in the order of observers. */
  add(observer: number, large: RowLarge | undefined, bodyAgeS: number): void {
    if (large) this.#said.push({ observer, large, bodyAgeS });
  }

  get hasLosses(): boolean {
    return this.#said.some(({ large }) => large.lost.length > 0);
  }

  /** The entries, in the order of observers: the paths on which large packets are lost, and those on which they passed. Ask once. */
  entries(observerOf: Int32Array, observers: number) {
    const { size, numberOf, masks } = this.#index;
    const entries = new EntryList();
    const firstOf = new Int32Array(observers + 1);
    const entryAt = new Int32Array(size).fill(-1);
    let read = 0;
    for (const { observer, large, bodyAgeS } of this.#said) {
      const number = observerOf[observer] ?? -1;
      for (; read <= number; read++) firstOf[read] = entries.size;
      const first = entries.size;
      const entryTo = (name: string, channel: number): number => {
        const target = numberOf.get(name) ?? -1;
        if (target === -1 || target === observer) return -1;
        if ((((masks[target] ?? 0) >> channel) & 1) === 0) return -1;
        if ((entryAt[target] ?? -1) < first) entryAt[target] = entries.add(observer, target);
        return entryAt[target] ?? -1;
      };
      for (const loss of large.lost) {
        const channel = channelNumber(loss.plane, 'http');
        const entry = entryTo(loss.node, channel);
        if (entry === -1) continue;
        entries.noteLarge('mtu', entry, channel, loss.ageSeconds + bodyAgeS);
        this.#losses.set(4 * entry + channel, loss);
      }
      for (const { node, plane, ageSeconds } of large.passed) {
        const channel = channelNumber(plane, 'http');
        const entry = entryTo(node, channel);
        if (entry === -1 || this.#losses.has(4 * entry + channel)) continue;
        entries.noteLarge('passed', entry, channel, ageSeconds + bodyAgeS);
      }
    }
    for (; read <= observers; read++) firstOf[read] = entries.size;
    const { first: firstTo, order: byTarget } = finished(
      orderEntries(entries.to, entries.size, size),
    );
    return { entries, firstOf, firstTo, byTarget };
  }

  /** What was said of a path; undefined if large packets are not lost there. Ask for the entries first. */
  lossOf(entry: number, channel: number): RowLargeLoss | undefined {
    return this.#losses.get(4 * entry + channel);
  }

  /** The nodes to or from which large packets are lost, and when the last loss was judged, by the clock of `now`. */
  doubted(now: number): DiagnosisOutput['doubted'] {
    const { numberOf, nodes } = this.#index;
    const agoS = new Map<string, number>();
    const note = (node: string, ageS: number) =>
      agoS.set(node, Math.min(agoS.get(node) ?? Infinity, ageS));
    for (const { observer, large, bodyAgeS } of this.#said) {
      for (const { node, ageSeconds } of large.lost) {
        if (!numberOf.has(node)) continue;
        note(node, ageSeconds + bodyAgeS);
        note(nodes[observer]?.name ?? '', ageSeconds + bodyAgeS);
      }
    }
    const chosen = [...agoS.keys()].sort((a, b) => nameHash(a) - nameHash(b));
    return chosen
      .slice(0, mostDoubted)
      .map((node) => ({ node, lostMs: now - 1000 * (agoS.get(node) ?? 0) }));
  }
}
