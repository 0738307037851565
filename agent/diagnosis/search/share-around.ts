import type { Tally } from '../evidence/tally.js';
import { channelsIn, httpMask, icmpMask, sumOn } from '../nouns/channel-mask.js';
import type { Explanation } from './explanation.js';

/** By channel, the other channel with the same protocol and itself. */
const alike = [icmpMask, httpMask, icmpMask, httpMask];
/** A share that was counted may be higher by chance. So many standard deviations less are no chance. */
const deviations = 2;

interface CountAtNode {
  readonly changes: number;
  /** The paths with the trouble that no cause explains, by channel. */
  readonly open: readonly number[];
  readonly known: readonly number[];
}

/**
 * How large a share of the other paths at the nodes of a pair has the trouble, and no cause explains. A node that loses probes on
 * all of its paths loses them on some sooner, so a pair of such paths says nothing of the pair.
 */
export class ShareAround {
  readonly #tally: Tally;
  readonly #explanation: Explanation;
  readonly #nodes: (CountAtNode | undefined)[] = [];

  constructor(tally: Tally, explanation: Explanation) {
    this.#tally = tally;
    this.#explanation = explanation;
  }

  /** The share at the node where it is higher, by channel, and no less than chance leaves of it. */
  ofPair(a: number, b: number): readonly number[] {
    const own = [0, 0, 0, 0];
    for (const entry of [this.#tally.entryOf(a, b), this.#tally.entryOf(b, a)])
      for (const channel of channelsIn(entry === -1 ? 0 : this.#explanation.openMask(entry)))
        own[channel] = (own[channel] ?? 0) + 1;
    return alike.map((mask) => Math.max(...[a, b].map((node) => this.#shareAt(node, mask, own))));
  }

  #shareAt(node: number, mask: number, own: readonly number[]): number {
    const { open, known } = this.#countAt(node);
    const count = sumOn(mask, open) - sumOn(mask, own);
    return (
      Math.max(count - deviations * Math.sqrt(Math.max(count, 0)), 0) /
      Math.max(sumOn(mask, known), 1)
    );
  }

  #countAt(node: number): CountAtNode {
    const changes = this.#explanation.changesAt(node);
    const last = this.#nodes[node];
    if (last?.changes === changes) return last;
    const open = [0, 0, 0, 0];
    for (const entry of this.#tally.entriesOf(node, 'both'))
      for (const channel of channelsIn(this.#explanation.openMask(entry)))
        open[channel] = (open[channel] ?? 0) + 1;
    const [to, from] = [this.#tally.toNode(node), this.#tally.fromNode(node)];
    const known = open.map(
      (_, at) =>
        (to.bad[at] ?? 0) + (to.well[at] ?? 0) + (from.bad[at] ?? 0) + (from.well[at] ?? 0),
    );
    return (this.#nodes[node] = { changes, open, known });
  }
}
