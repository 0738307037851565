import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { SideNodes } from '../nouns/subject.js';
import { observerAt } from './observations.js';
import { toldOf } from './paths-of.js';
import type { Tally } from './tally.js';

/**
 * How many of the paths to the nodes on a side have the trouble by a node's own row, and of how many it is known whether they have it:
 * a path that fails may lose packets, or be slow, too.
 */
export function countInOwnRow(tally: Tally, node: number, to: SideNodes, channels: number) {
  const { observations, bad: troubled, covered, index } = tally;
  const own = observerAt(observations, node);
  if (!own) return { bad: 0, known: 0 };
  let [bad, known] = [0, 0];
  for (const channel of channelsIn(channels)) known += toldOf(own, to, channel, index);
  const [first, end] = tally.rangeFrom(node);
  for (let entry = first; entry < end; entry++) {
    if (!to.isIn(observations.entries.to[entry] ?? -1)) continue;
    const notWell = (covered[entry] ?? 0) & channels;
    const has = (troubled[entry] ?? 0) & notWell;
    bad += sizeOf(has);
    known -= sizeOf(notWell & ~has);
  }
  return { bad, known };
}
