import { channelNumber } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import type { Cause, Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisOutput } from '../nouns/diagnosis-input.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { PacketWays, Side } from '../nouns/sight.js';
import { finished } from '../nouns/steps.js';
import { sidesOf } from '../nouns/subject.js';
import { EntryList } from './entry-list.js';
import type { Observations } from './observations.js';
import { orderEntries } from './order-entries.js';
import type { TroubledEntries } from './troubled-entries.js';

/** At most so many nodes are suspected: the same ones on every agent. */
const mostSuspected = 64;
/** A loss is judged by three tests, so it began so many seconds before, at the most. */
const judgedForS = 20;
/** So many entries represent all. Those of one node in a large cluster are fewer. */
const mostEntries = 8192;

/** The same rows, with what they say of large packets in the place of what they say of probes. */
export function largeObservations(
  observations: Observations,
  { size, numberOf, masks }: ClusterIndex,
): Observations {
  const { large, observerOf, observers } = observations;
  const entries = new EntryList();
  const observerOfEntry: number[] = [];
  for (const { node: observer, large: reported, bodyAgeS } of large) {
    const entryAt = new Map<number, number>();
    for (const [outcome, paths] of [
      ['mtu', reported.lost] as const,
      ['passed', reported.passed] as const,
    ]) {
      for (const path of paths) {
        const channel = channelNumber(path.plane, 'http');
        const target = numberOf.get(path.node) ?? -1;
        if (target === observer || (((masks[target] ?? 0) >> channel) & 1) === 0) continue;
        const entry = getOrInsert(entryAt, target, () => entries.add(observer, target));
        observerOfEntry[entry] = observerOf[observer] ?? -1;
        entries.noteLarge(outcome, entry, channel, path, bodyAgeS);
      }
    }
  }
  const byObserver = finished(
    orderEntries(Int32Array.from(observerOfEntry), entries.size, observers.length),
  );
  const { first: firstTo, order: byTarget } = finished(
    orderEntries(entries.to, entries.size, size),
  );
  return { ...observations, entries, firstOf: byObserver.first, firstTo, byTarget };
}

/** The nodes to or from which large packets are lost, and when the last loss was judged, by the clock of `now`. */
export function suspectedNodes(
  { large }: Observations,
  { numberOf, nodes }: ClusterIndex,
  now: number,
): DiagnosisOutput['suspected'] {
  const agoS = new Map<string, number>();
  for (const { node: observer, large: reported, bodyAgeS } of large) {
    for (const { node, ageSeconds } of reported.lost) {
      if (!numberOf.has(node)) continue;
      for (const name of [node, nodes[observer]?.name ?? ''])
        agoS.set(name, Math.min(agoS.get(name) ?? Infinity, ageSeconds + bodyAgeS));
    }
  }
  return [...agoS]
    .sort(([a], [b]) => nameHash(a) - nameHash(b))
    .slice(0, mostSuspected)
    .map(([node, s]) => ({ node, lostMs: now - 1000 * s }));
}

/** Counts by channel the paths on which large packets passed. Those that were tested before any of the others lost them say nothing. */
export function countPasses({ mtu, passed, ageS }: EntryList, entries: Iterable<number>): number[] {
  const oldestS = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (const entry of entries)
    for (const channel of channelsIn(mtu[entry] ?? 0))
      oldestS[channel] = Math.max(oldestS[channel] ?? 0, ageS[4 * entry + channel] ?? 0);
  // Where a channel has no losses of its own, those of the others say when it began, if there are any.
  const otherS = Math.max(...oldestS);
  const anyS = otherS === -Infinity ? Infinity : otherS;
  const beganS = oldestS.map((s) => (s === -Infinity ? anyS : s) + judgedForS);
  const counts = [0, 0, 0, 0];
  for (const entry of entries) {
    for (const channel of channelsIn(passed[entry] ?? 0)) {
      const isSince = (ageS[4 * entry + channel] ?? 0) <= (beganS[channel] ?? 0);
      if (isSince) counts[channel] = (counts[channel] ?? 0) + 1;
    }
  }
  return counts;
}

/** The paths of a side on which large packets are lost, and on which they passed. Rows tell only of what was tested. */
export function testedSide(
  bad: ArrayLike<number>,
  entries: EntryList,
  ofSide: Iterable<number>,
): Side {
  const well = countPasses(entries, ofSide);
  return { bad, well, probed: well, reported: well };
}

/** What its witnesses say of a cause about large packets: on each path who tested it, and what it says. */
export function lossesOf(
  { entries, knownChannels }: Cause,
  { bad, observations }: TroubledEntries,
) {
  const { from, to, losses } = observations.entries;
  return [...entries.subarray(0, mostEntries)].flatMap((entry) => {
    const [observer, target] = [from[entry] ?? -1, to[entry] ?? -1];
    return channelsIn((bad[entry] ?? 0) & knownChannels).flatMap((channel) => {
      const loss = losses.get(4 * entry + channel);
      return loss ? { observer, target, loss } : [];
    });
  });
}

/** The way of the lost packets, not that of the tests: of a test whose answer is lost it is the way back. */
export function packetWaysOf(
  { subject }: Cause,
  { index }: TroubledEntries,
  losses: ReturnType<typeof lossesOf>,
): PacketWays {
  if (subject.type === 'cluster') return { ways: 'both', isReportedByBoth: true };
  const { isIn: isInside } = sidesOf(subject, index).inner;
  // A row has room for few losses, so those inside may tell of far fewer than all others.
  const said = [true, false].flatMap((ofInside) => {
    const ofSide = losses.filter(({ observer }) => isInside(observer) === ofInside);
    return mostSaid(
      ofSide.map(({ observer, target, loss }) =>
        isInside(loss.isBack === true ? target : observer),
      ),
    );
  });
  const [first = 'both', second = first] = said;
  return { ways: first === second ? first : 'both', isReportedByBoth: said.length === 2 };
}

/** The way that most on one side say, by whether each says that they are lost on the way out; none if nobody says anything. */
function mostSaid(areOut: readonly boolean[]): Ways[] {
  if (areOut.length === 0) return [];
  const out = areOut.filter((isOut) => isOut).length;
  return [2 * out === areOut.length ? 'both' : 2 * out > areOut.length ? 'out' : 'in'];
}
