import { beginS, isAnyTogether } from '../evidence/begin.js';
import type { Tally } from '../evidence/tally.js';
import { clockErrorS } from '../evidence/time-model.js';
import { reversedWays, type Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { LabelGroup } from '../nouns/node-groups.js';
import type { Cut } from '../nouns/subject.js';

/** All of a zone with more nodes than this hardly have faults of their own at the same time. */
const mostMembers = 4;

/** Of n probes that are spread evenly over an interval, the first comes within 3 / (n + 1) of it in 95 of 100 cases. */
const firstProbed = 3;

/**
 * Whether a cut of zones may be one cause: on each side with few nodes, paths of two of these began to fail together, on some channel
 * of a mask. All nodes of a small zone may have faults of their own by chance, and these begin at different times. All tell when, not
 * only those in the other one of two zones.
 * @param entriesOf the paths of a cut in a direction
 */
export function nodesBeganTogether(
  tally: Tally,
  { group, other }: Cut,
  mask: number,
  ways: Ways,
  entriesOf: (cut: Cut, ways: Ways) => Int32Array,
): boolean {
  // Two zones fail in the direction from the first to the other one.
  const first = other === undefined ? ways : reversedWays[ways];
  const mayBeOne = (zone: number, its: Ways): boolean => {
    const side = tally.index.zones[zone];
    const length = side?.members.length ?? 0;
    if (!side || length < 2 || length > mostMembers) return true;
    const all: Cut = { type: 'zones', group: zone, other: undefined };
    return areTogether(tally, side, mask, entriesOf(all, its));
  };
  return mayBeOne(group, first) && (other === undefined || mayBeOne(other, ways));
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
