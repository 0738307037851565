import { beginS, isAnyTogether } from '../evidence/begin.js';
import type { Tally } from '../evidence/tally.js';
import { clockErrorS } from '../evidence/time-model.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { LabelGroup } from '../nouns/node-groups.js';
import { bothGroups, type Cut } from '../nouns/subject.js';

/** All of a zone with more nodes than this hardly have faults of their own at the same time. */
const mostMembers = 4;

/** Of n probes that are spread evenly over an interval, the first comes within 3 / (n + 1) of it in 95 of 100 cases. */
const firstProbed = 3;

/**
 * Whether a cut may be one cause: on each side with few nodes, paths of two of these began to fail together, on some channel
 * of a mask. All nodes of a small zone may have faults of their own by chance, and these begin at different times.
 * @param entries the paths of the cut
 */
export function nodesBeganTogether(
  tally: Tally,
  cut: Cut,
  mask: number,
  entries: Int32Array,
): boolean {
  return bothGroups(cut, tally.index).every((side) => {
    const length = side?.members.length ?? 0;
    const isSmall = length > 1 && length <= mostMembers;
    return !side || !isSmall || areTogether(tally, side, mask, entries);
  });
}

function areTogether(
  tally: Tally,
  { has }: LabelGroup,
  mask: number,
  entries: Int32Array,
): boolean {
  const { from, to } = tally.observations.entries;
  const together = channelsIn(mask).flatMap((channel) => {
    const sweepS = tally.times.alone[channel]?.sweepS ?? 0;
    const windowS = sweepS + clockErrorS;
    const ages = new Map<number, number[]>();
    for (const entry of entries) {
      if ((((tally.bad[entry] ?? 0) >> channel) & 1) === 0) continue;
      const [observer = -1, target = -1] = [from[entry], to[entry]];
      const node = has[target] === 1 ? target : observer;
      getOrInsert(ages, node, () => []).push(tally.ageS(entry, channel));
    }
    const ofNodes = [...ages.values()];
    if (ofNodes.length < 2) return [];
    const begins = ofNodes.map(
      (some) => beginS(Float64Array.from(some), windowS, some.length) ?? 0,
    );
    // The more paths fail, the sooner after the beginning the first of them was probed.
    const fewest = Math.min(...ofNodes.map(({ length }) => length));
    return isAnyTogether(begins, clockErrorS + sweepS * Math.min(firstProbed / (fewest + 1), 1));
  });
  return together.length === 0 || together.includes(true);
}
