import type { Tally } from '../evidence/tally.js';
import { addUp, countChannels, httpMask, icmpMask, sumOn } from '../nouns/channel-mask.js';
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
 * How large a share of the other paths at the nodes of a pair has the trouble, and no cause explains: by channel, at the node where
 * it is higher, and no more than chance surely leaves of it. A node that loses probes on all of its paths loses them on
 * some sooner, so a pair of such paths says nothing of the pair.
 */
export function shareAround(
  tally: Tally,
  explanation: Explanation,
): (a: number, b: number) => readonly number[] {
  const counts: (CountAtNode | undefined)[] = [];
  const openOf = (entries: Iterable<number>) =>
    countChannels(entries, (entry) => explanation.openMask(entry));

  function countAt(node: number): CountAtNode {
    const changes = explanation.changesAt(node);
    const last = counts[node];
    if (last?.changes === changes) return last;
    const [to, from] = [tally.toNode(node), tally.fromNode(node)];
    const known = addUp([to.bad, to.well, from.bad, from.well]);
    return (counts[node] = { changes, open: openOf(tally.entriesOf(node, 'both')), known });
  }

  return (a, b) => {
    const own = openOf([tally.entryOf(a, b), tally.entryOf(b, a)]);
    const shareAt = (node: number, mask: number): number => {
      const { open, known } = countAt(node);
      const count = Math.max(sumOn(mask, open) - sumOn(mask, own), 0);
      return Math.max(count - deviations * Math.sqrt(count), 0) / Math.max(sumOn(mask, known), 1);
    };
    return alike.map((mask) => Math.max(shareAt(a, mask), shareAt(b, mask)));
  };
}
