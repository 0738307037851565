import { channelsIn, httpMask, icmpMask } from '../nouns/channel-mask.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { CoveredPaths } from './covered-paths.js';
import type { Observations } from './observations.js';
import { hintS, type ProbeTime, type ProbeTimes } from './time-model.js';

/** Fewer nodes that fail at about the same time are probed within seconds of each other: they count as if there were one. */
const leastOthers = 64;

/** How soon observers probe a node, by the number of a channel, if it began to fail so many seconds ago. */
export type TimesAtNodes = (beganS: number) => readonly ProbeTime[];

/**
 * How soon observers probe a node of which hints tell. They probe all of these one after the other. How many began to fail
 * at about the same time is what the local agent sees itself: its own row alone names all of them.
 * @param explained what causes explain that are known: of others it is not known how many nodes they are about
 */
export function timesAtNodes(
  times: ProbeTimes,
  observations: Observations,
  index: ClusterIndex,
  explained: CoveredPaths | undefined,
): TimesAtNodes {
  const known = new Map<number, readonly ProbeTime[]>();
  const beside = (others: number, channel: number) =>
    getOrInsert(known, others, () => times.beside(others))[channel];
  let agesOfNodes: readonly Float64Array[] | undefined;
  const timeOn = (channel: number, beganS: number): ProbeTime | undefined => {
    agesOfNodes ??= [icmpMask, httpMask].map((protocol) =>
      agesSeenHere(observations, index, explained, protocol),
    );
    const agesS = agesOfNodes[channel & 1] ?? [];
    const { sweepS = 0 } = times.alone[channel] ?? {};
    const later = countUpTo(agesS, beganS - sweepS);
    const most = countUpTo(agesS, beganS + sweepS) - later;
    // Those that began to fail before, and were probed by then, are not waited for.
    const { hintedS = 0, confirmS = 0 } = beside(most, channel) ?? {};
    const waitS = hintS + hintedS - (beside(0, channel)?.hintedS ?? 0) + confirmS;
    const others = countUpTo(agesS, beganS + Math.min(waitS, sweepS)) - later;
    return beside(others < leastOthers ? 0 : others, channel);
  };
  // By tenth of a second: thousands of nodes began to fail in few of them.
  const timesAt = new Map<number, readonly ProbeTime[]>();
  return (beganS) => {
    const tenths = Math.round(10 * beganS);
    return getOrInsert(timesAt, tenths, () =>
      times.alone.flatMap((_, channel) => timeOn(channel, tenths / 10) ?? []),
    );
  };
}

/** For how long the nodes fail by a protocol that the local agent cannot reach, ascending. */
function agesSeenHere(
  { own, observerOf, firstOf, entries }: Observations,
  index: ClusterIndex,
  explained: CoveredPaths | undefined,
  protocol: number,
): Float64Array {
  const observer = observerOf[index.numberOf.get(own?.observer ?? '') ?? -1] ?? -1;
  const agesS: number[] = [];
  for (let entry = firstOf[observer] ?? 0; entry < (firstOf[observer + 1] ?? 0); entry++) {
    // What is about the local node itself, others do not see.
    const [from, to] = [entries.from[entry] ?? 0, entries.to[entry] ?? 0];
    const known = explained?.channelsBeside(from, from, to) ?? 0;
    let youngestS = Infinity;
    for (const channel of channelsIn((entries.fail[entry] ?? 0) & protocol & known))
      youngestS = Math.min(youngestS, entries.ageS[4 * entry + channel] ?? 0);
    if (youngestS !== Infinity) agesS.push(youngestS);
  }
  return Float64Array.from(agesS).sort();
}
