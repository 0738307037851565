import type { Cause } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { channelsAt } from '../evidence/path-counts.js';
import type { Evidence, Places } from './subjects.js';

/** Sums of weights are not exactly zero when all is explained. */
export const leastOpen = 0.01;
/** The work between two yields, in entries. */
const slice = 500;

/**
 * Sets the weights of an entry's paths on the channels of a mask, by four times the entry plus the channel.
 * @param alike how many of its paths share what that says: those that no cause covers, or of covered ones all
 */
export type WeighPaths = (
  weights: Float32Array,
  entry: number,
  mask: number,
  alike: number,
) => void;

/**
 * A set of causes, and what they leave unexplained. Causes may overlap, so each path has a count of
 * the causes that cover it. The weight of uncovered paths is summed up by node and by group of entries.
 */
export class Explanation {
  readonly #evidence: Pick<Evidence, 'index' | 'bad' | 'badEntries'>;
  readonly #places: Places;
  readonly #causes = new Set<Cause>();
  /** Whether nothing has changed since a search found nothing better. */
  isSettled = false;
  /** By entry, the channels that no cause covers, as a mask. */
  readonly #open: Uint8Array;
  /** By entry and channel. NaN: the path was covered when weights were set, and nobody has asked for its weight since. */
  readonly #weights: Float32Array;
  /** By how many causes a path is covered beside the first. */
  readonly #more: Uint16Array;
  #weigh: WeighPaths = () => undefined;
  /** The weight of uncovered paths, by node or group and channel. */
  readonly #openIn: Float64Array;
  readonly #openOut: Float64Array;
  readonly #openInGroup: Float64Array;
  readonly #openAll = new Float64Array(4);
  /** How many causes at a node break each channel; at the end those of the whole cluster. */
  readonly #causesAt: Uint16Array;
  /** How often what is open at a node has changed. */
  readonly #changesAt: Uint32Array;

  constructor(evidence: Pick<Evidence, 'index' | 'bad' | 'badEntries'>, places: Places) {
    this.#evidence = evidence;
    this.#places = places;
    const { index, bad } = evidence;
    this.#open = bad.slice();
    this.#weights = new Float32Array(4 * bad.length);
    this.#more = new Uint16Array(4 * bad.length);
    this.#openIn = new Float64Array(4 * index.size);
    this.#openOut = new Float64Array(4 * index.size);
    this.#openInGroup = new Float64Array(4 * places.groups);
    this.#causesAt = new Uint16Array(4 * (index.size + 1));
    this.#changesAt = new Uint32Array(index.size);
  }

  get causes(): Iterable<Cause> {
    return this.#causes;
  }

  /** The weight of what the causes leave unexplained. */
  get open(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#openAll;
    return a + b + c + d;
  }

  /** The total cost: of the causes, and of what they leave unexplained. */
  get total(): number {
    let sum = this.open;
    for (const { cost } of this.#causes) sum += cost;
    return sum;
  }

  /** Sets the weight of each path. Covered paths stay covered. It yields every few milliseconds of work. */
  *weigh(weigh: WeighPaths): Generator<void> {
    const { badEntries } = this.#evidence;
    const weights = this.#weights;
    this.isSettled = false;
    this.#weigh = weigh;
    weights.fill(NaN);
    for (const sums of [this.#openIn, this.#openOut, this.#openInGroup, this.#openAll])
      sums.fill(0);
    const changes = this.#changesAt;
    for (let node = 0; node < changes.length; node++) changes[node] = (changes[node] ?? 0) + 1;
    for (let at = 0; at < badEntries.length; at++) {
      if ((at + 1) % slice === 0) yield;
      const entry = badEntries[at] ?? 0;
      const open = this.#open[entry] ?? 0;
      if (open === 0) continue;
      weigh(weights, entry, open, sizeOf(open));
      this.#addOpen(entry, open, 1);
    }
  }

  /** The weight of the uncovered paths to a node, by channel. */
  openTo(node: number): readonly number[] {
    return channelsAt(this.#openIn, node);
  }

  openFrom(node: number): readonly number[] {
    return channelsAt(this.#openOut, node);
  }

  /** Whether there is something at a node that no cause explains. */
  hasOpenAt(node: number): boolean {
    for (let at = 4 * node; at < 4 * node + 4; at++) {
      if ((this.#openIn[at] ?? 0) > leastOpen || (this.#openOut[at] ?? 0) > leastOpen) return true;
    }
    return false;
  }

  /** The channels that causes at a node explain, as a mask; at a node more than there are, causes of the whole cluster. */
  explainedAt(node: number): number {
    let mask = 0;
    for (let channel = 0; channel < 4; channel++)
      if ((this.#causesAt[4 * node + channel] ?? 0) > 0) mask |= 1 << channel;
    return mask;
  }

  observerOf(entry: number): number {
    return this.#places.from[entry] ?? -1;
  }

  /** A number that is another one whenever what is open at a node has changed. */
  changesAt(node: number): number {
    return this.#changesAt[node] ?? 0;
  }

  /** The same of the entries of a group. */
  openIn(group: number): readonly number[] {
    return channelsAt(this.#openInGroup, group);
  }

  get openAll(): Float64Array {
    return this.#openAll;
  }

  /** The channels of an entry that no cause covers, as a mask. */
  openMask(entry: number): number {
    return this.#open[entry] ?? 0;
  }

  /** The weight of an entry's paths that no cause covers. */
  openWeight(entry: number): number {
    let sum = 0;
    for (const channel of channelsIn(this.openMask(entry))) sum += this.weightOf(entry, channel);
    return sum;
  }

  /** The weight of the paths of some entries that no cause covers, by channel. */
  openOf(entries: ArrayLike<number>): number[] {
    const open = [0, 0, 0, 0];
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0;
      for (const channel of channelsIn(this.openMask(entry)))
        open[channel] = (open[channel] ?? 0) + this.weightOf(entry, channel);
    }
    return open;
  }

  add(cause: Cause): void {
    this.#causes.add(cause);
    this.#cover(cause, 1);
  }

  remove(cause: Cause): void {
    if (this.#causes.delete(cause)) this.#cover(cause, -1);
  }

  /** The weight of the paths that only this cause covers; of more than it costs, so much as is more. */
  uniqueWeight({ entries, knownChannels, cost }: Cause): number {
    const { bad } = this.#evidence;
    let sum = 0;
    for (let index = 0; index < entries.length && sum <= cost; index++) {
      const entry = entries[index] ?? 0;
      for (const channel of channelsIn((bad[entry] ?? 0) & knownChannels))
        if (this.#more[4 * entry + channel] === 0) sum += this.weightOf(entry, channel);
    }
    return sum;
  }

  /** Whether another cause explains a path that one covers: a second one that does, or one that has ended. */
  isShared(entry: number, channel: number): boolean {
    return (this.#more[4 * entry + channel] ?? 0) > 0 || this.weightOf(entry, channel) <= leastOpen;
  }

  weightOf(entry: number, channel: number): number {
    const at = 4 * entry + channel;
    if (Number.isNaN(this.#weights[at]))
      this.#weigh(this.#weights, entry, 1 << channel, sizeOf(this.#evidence.bad[entry] ?? 0));
    return this.#weights[at] ?? 0;
  }

  #cover({ subject, entries, knownChannels }: Cause, step: 1 | -1): void {
    const { bad, index: nodes } = this.#evidence;
    this.isSettled = false;
    if (subject.type === 'node' || subject.type === 'cluster') {
      const place = subject.type === 'node' ? subject.node : nodes.size;
      for (const channel of channelsIn(knownChannels)) {
        const at = 4 * place + channel;
        this.#causesAt[at] = (this.#causesAt[at] ?? 0) + step;
      }
    }
    const [open, more] = [this.#open, this.#more];
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] ?? 0;
      const covered = (bad[entry] ?? 0) & knownChannels;
      const before = open[entry] ?? 0;
      let changed = covered & before;
      for (const channel of channelsIn(covered & ~before)) {
        const at = 4 * entry + channel;
        if (step === -1 && more[at] === 0) changed |= 1 << channel;
        else more[at] = (more[at] ?? 0) + step;
      }
      if (changed === 0) continue;
      open[entry] = before ^ changed;
      this.#addOpen(entry, changed, step === 1 ? -1 : 1);
    }
  }

  /** Adds the weights of an entry's paths to what is open, or takes them away. Called for each entry, so nothing is made. */
  #addOpen(entry: number, mask: number, sign: 1 | -1): void {
    const places = this.#places;
    const from = places.from[entry] ?? -1;
    const to = places.to[entry] ?? -1;
    const group = places.groupOf[entry] ?? -1;
    const changes = this.#changesAt;
    changes[from] = (changes[from] ?? 0) + 1;
    if (to !== -1) changes[to] = (changes[to] ?? 0) + 1;
    for (let channel = 0; channel < 4; channel++) {
      if (((mask >> channel) & 1) === 0) continue;
      const weight = sign * this.weightOf(entry, channel);
      const into = 4 * to + channel;
      const outOf = 4 * from + channel;
      if (to !== -1) this.#openIn[into] = (this.#openIn[into] ?? 0) + weight;
      this.#openOut[outOf] = (this.#openOut[outOf] ?? 0) + weight;
      this.#openAll[channel] = (this.#openAll[channel] ?? 0) + weight;
      if (group === -1) continue;
      const within = 4 * group + channel;
      this.#openInGroup[within] = (this.#openInGroup[within] ?? 0) + weight;
    }
  }
}
