import { hostHttpMask, sizeOf } from './channels.js';
import type { Evidence } from './evidence.js';
import { looksAt } from './observations.js';
import { lookS, loneReportWeight, outdatedShare } from './weights.js';

/** Two nodes that have a failing path between them without a cause so far. */
export interface OpenPair {
  readonly a: number;
  readonly b: number;
  /** The entries of a about b, and of b about a; -1 if all is well or nobody looks. */
  ab: number;
  ba: number;
}

/** The pairs of nodes that have failing paths without a cause, by node. */
export class OpenPairs {
  readonly all: OpenPair[] = [];
  /** How much one observer's report about one node counts among these pairs. */
  readonly reportWeight: number;
  readonly #evidence: Evidence;
  readonly #fellSilent: (from: number, to: number, ageS: number) => boolean;
  readonly #ofNode = new Map<number, OpenPair[]>();

  /** @param fellSilent whether nothing of `to` has come to `from` since their trouble began */
  constructor(
    evidence: Evidence,
    fellSilent: (from: number, to: number, ageS: number) => boolean = () => false,
  ) {
    this.#evidence = evidence;
    this.#fellSilent = fellSilent;
    const { observations, index } = evidence;
    const byKey = new Map<number, OpenPair>();
    for (let entry = 0; entry < observations.size; entry++) {
      if (evidence.open(entry) === 0) continue;
      const [from, to] = [observations.from[entry] ?? 0, observations.to[entry] ?? 0];
      const [a, b] = from < to ? [from, to] : [to, from];
      const key = a * index.size + b;
      let pair = byKey.get(key);
      if (!pair) {
        pair = { a, b, ab: -1, ba: -1 };
        byKey.set(key, pair);
        this.all.push(pair);
        this.#note(a, pair);
        this.#note(b, pair);
      }
      if (from === a) pair.ab = entry;
      else pair.ba = entry;
    }
    const { size } = index;
    this.reportWeight = loneReportWeight(Math.max(this.all.length, 1), size * (size - 1));
  }

  ofNode(node: number): readonly OpenPair[] {
    return this.#ofNode.get(node) ?? [];
  }

  nodes(): IterableIterator<number> {
    return this.#ofNode.keys();
  }

  /** The open channels in each direction. */
  open({ ab, ba }: OpenPair): { readonly ab: number; readonly ba: number } {
    const open = (entry: number) => (entry === -1 ? 0 : this.#evidence.open(entry));
    return { ab: open(ab), ba: open(ba) };
  }

  /**
   * What fails in each direction. If one end does not hear the other any more, that one's row
   * cannot arrive. Its direction is then taken to fail too.
   */
  failing(pair: OpenPair): { readonly ab: number; readonly ba: number } {
    const { ab, ba } = this.open(pair);
    if (ba === 0 && this.#isSilent(pair.a, pair.b, pair.ab, ab)) return { ab, ba: ab };
    if (ab === 0 && this.#isSilent(pair.b, pair.a, pair.ba, ba)) return { ab: ba, ba };
    return { ab, ba };
  }

  /** The mean age of its failures, each up to `mostAgeS`, in seconds. */
  ageS(pair: OpenPair): number {
    const open = this.open(pair);
    const [there, back] = [sizeOf(open.ab), sizeOf(open.ba)];
    const age = (entry: number) => (entry === -1 ? 0 : this.#evidence.ageOf(entry));
    return (there * age(pair.ab) + back * age(pair.ba)) / Math.max(there + back, 1);
  }

  /** How much the word of `from` counts that a channel to `to` works; 0 if it does not say so. */
  works(from: number, to: number, entry: number, channel: number, ageS: number): number {
    const { observations, index } = this.#evidence;
    const observer = observations.observers[observations.observerOf[from] ?? -1];
    if (!observer || !looksAt(index, observer, to, 1 << channel)) return 0;
    const notOk =
      entry === -1 ? 0 : (observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0);
    if ((notOk >> channel) & 1) return 0;
    return observer.ageS <= ageS - lookS ? 1 : outdatedShare;
  }

  /** GETs go to node IPs. So HTTP to the node IP must fail. */
  #isSilent(from: number, to: number, entry: number, open: number): boolean {
    if ((open & hostHttpMask) === 0) return false;
    return this.#fellSilent(from, to, this.#evidence.observations.ageS[entry] ?? 0);
  }

  #note(node: number, pair: OpenPair): void {
    const pairs = this.#ofNode.get(node);
    if (pairs) pairs.push(pair);
    else this.#ofNode.set(node, [pair]);
  }
}
