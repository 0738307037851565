import { channelsIn, rowChannel } from '../nouns/channel-mask.js';
import { noGroup } from '../nouns/node-groups.js';
import { bothGroups, type Cut } from '../nouns/subject.js';
import { countsAt } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';

/** So large a share of the nodes that the cut is about reaches others. */
const leastApart = 2 / 3;

/** Whether most nodes on either side that a cut is about reach others, or are reached by them, on its channels. */
export function isApart(tally: Tally, cut: Cut, entries: Int32Array, mask: number): boolean {
  const { bad, index, observations } = tally;
  const { heard, observerOf } = observations;
  const { from, to } = observations.entries;
  const fails = new Map<number, number>();
  for (const entry of entries) {
    const count = channelsIn((bad[entry] ?? 0) & mask).length;
    if (count === 0) continue;
    for (const node of [from[entry] ?? 0, to[entry] ?? 0])
      fails.set(node, (fails.get(node) ?? 0) + count);
  }
  const [first, second = noGroup] = bothGroups(cut, index);
  return [first, second].every(({ has }) => {
    const beyond = has === first.has ? second.has : first.has;
    /** Whether more paths of a node work for sure than fail, without those of the cut. */
    const reachesOthers = ([node, without]: readonly [node: number, fails: number]) => {
      // That these hear a node of which there is no row tells of no others.
      const heardBeyond =
        observerOf[node] !== -1 || ((mask >> rowChannel) & 1) === 0
          ? 0
          : (heard.get(node) ?? []).filter(({ observer }) => beyond[observer] === 1).length;
      const counts = countsAt(tally, node, mask, 'both');
      const works = counts.well - heardBeyond;
      return works >= 1 && works > counts.bad - without;
    };
    const affected = [...fails].filter(([node]) => has[node] === 1);
    const apart = affected.filter(reachesOthers);
    return apart.length >= 2 && apart.length >= leastApart * affected.length;
  });
}

/** Whether fewer than two nodes are affected on one of two sides, by the entries between these: then it is more likely the node. */
export function isLone(
  { bad, observations }: Tally,
  entries: Iterable<number>,
  isInside: (node: number) => boolean,
): boolean {
  const { from, to } = observations.entries;
  const [inside, outside] = [new Set<number>(), new Set<number>()];
  for (const entry of entries) {
    if (bad[entry] === 0) continue;
    for (const node of [from[entry] ?? 0, to[entry] ?? 0])
      (isInside(node) ? inside : outside).add(node);
    if (inside.size > 1 && outside.size > 1) return false;
  }
  return true;
}
