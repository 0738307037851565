import { singleWays, type Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { countsAt } from './path-counts.js';
import { observerAt, type Observer } from './observations.js';
import { addWorking, noneProbed, mostMisfit } from './time-model.js';
import type { Tally } from './tally.js';
import { coveredIn } from './coverage.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** How many nodes of a group have a trouble, or have it not. Of the others it is not known yet. */
interface MemberStates {
  /** Those of which most known paths have the trouble. */
  readonly failing: number;
  /** Those of them of which two paths at least on one channel have it. */
  readonly surelyFailing: number;
  readonly well: number;
  readonly of: number;
}

/** A node has the trouble if so large a share of its known paths has it. */
const leastShare = 0.5;
/** That a node has the trouble is refuted by so much, in natural logarithms of odds. */
const leastMargin = 4.6;
/** Times that are less far apart than this, in seconds, are one. */
const beginStepS = 0.5;

/** Tells of the nodes of any group whether they have the trouble of a cause, and of which it is known that they do not. */
export function groupMembers(tally: Tally) {
  const { index } = tally;
  const known = new Map<string, MemberStates>();
  /** How sure it is that a node is well of which no path fails, by when the trouble began and the channels. */
  const probesOfAny = new Map<string, number>();
  return { with: groupsWith, around, states };

  /** The groups of one value that have some nodes. */
  function groupsWith(nodes: readonly number[]): readonly number[] {
    const [first = -1] = nodes;
    const hasAll = ({ members, has }: LabelGroup) =>
      members.includes(first) && nodes.every((node) => has[node] === 1);
    const single = index.groups.slice(0, index.singles);
    return single.flatMap((group, number) => (hasAll(group) ? number : []));
  }

  /** The same, but for those that have no others. */
  function around(nodes: readonly number[]): readonly number[] {
    const isLarger = (group: number) =>
      (index.groups[group] ?? noGroup).members.length > nodes.length;
    return groupsWith(nodes).filter(isLarger);
  }

  function states(group: number, channels: number, ways: Ways): MemberStates {
    const key = `${group} ${channels} ${ways}`;
    return getOrInsert(known, key, () => {
      const { members } = index.groups[group] ?? noGroup;
      let [failing, surelyFailing, well] = [0, 0, 0];
      const withoutFailing: number[] = [];
      let beganS = 0;
      for (const node of members) {
        // Of most nodes no path fails, and then nothing is counted.
        const its = tally.hasBad(node) && countsAt(tally, node, channels, ways);
        if (its === false || its.bad === 0) {
          withoutFailing.push(node);
          continue;
        }
        beganS = Math.max(beganS, oldestS(node, channels, ways));
        if (its.bad >= leastShare * (its.bad + its.probed)) {
          failing++;
          if (its.most >= 2) surelyFailing++;
        } else if (mostMisfit * its.well >= leastMargin) well++;
      }
      if (failing > 0) well += countWell(withoutFailing, beganS, channels, ways);
      return { failing, surelyFailing, well, of: members.length };
    });
  }

  /** How long a node has had the trouble, on the channel and in the direction on which it has had it longest. */
  function oldestS(node: number, channels: number, ways: Ways): number {
    let oldestS = 0;
    for (const channel of channelsIn(channels))
      for (const way of singleWays[ways])
        oldestS = Math.max(oldestS, tally.meanAgeS(node, channel, way));
    return oldestS;
  }

  /** How many of some nodes are well of which no path fails. */
  function countWell(
    nodes: readonly number[],
    beganS: number,
    channels: number,
    ways: Ways,
  ): number {
    const isSure = (probes: number) => mostMisfit * probes >= leastMargin;
    if (ways !== 'out') return isSure(probesAtAny(beganS, channels)) ? nodes.length : 0;
    return nodes.filter((node) => {
      const own = observerAt(tally.observations, node);
      return own && isSure(probesOf(own, beganS, channels, index.size - 1));
    }).length;
  }

  /** How sure it is that a node is well that any observer may have probed, in paths that certainly work: the same for each such node. */
  function probesAtAny(beganS: number, channels: number): number {
    const step = Math.round(beganS / beginStepS);
    const key = `${step} ${channels}`;
    const { observers } = tally.observations;
    return getOrInsert(probesOfAny, key, () =>
      observers.reduce((sum, one) => sum + probesOf(one, step * beginStepS, channels, 1), 0),
    );
  }

  /** What an observer has probed since a time, of so many paths. */
  function probesOf(observer: Observer, beganS: number, channels: number, paths: number): number {
    let most = 0;
    for (const channel of channelsIn(channels)) {
      const time = tally.times.alone[channel];
      const nodes = index.whole.hashes[channel]?.length ?? 0;
      if (!time || nodes === 0) continue;
      const working = noneProbed();
      const covered = coveredIn(observer, index.whole, channel, index) / nodes;
      addWorking(working, beganS, observer.ageS, time, paths * covered);
      most = Math.max(most, working.misfit);
    }
    return most;
  }
}
