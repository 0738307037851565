import type { Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { sidesOf, sizeOfSide, type SideNodes, type Subject } from '../nouns/subject.js';
import type { Observer } from './observations.js';
import type { ProbeTime, ProbeTimes } from './time-model.js';
import { coveredIn, reportedChannels } from './coverage.js';

/** Whether a path is one of a subject, in a direction. */
export function isPathOf(
  subject: Subject,
  ways: Ways,
  index: ClusterIndex,
): (from: number, to: number) => boolean {
  const { inner, outer } = sidesOf(subject, index);
  const isInto = (from: number, to: number) => inner.isIn(to) && outer.isIn(from);
  return (from, to) => (ways !== 'out' && isInto(from, to)) || (ways !== 'in' && isInto(to, from));
}

/** How many paths to the nodes on a side an observer tells of on a channel, whether they work or not. */
export function reportedPaths(
  observer: Observer,
  { isIn, group, without }: SideNodes,
  channel: number,
  index: ClusterIndex,
): number {
  const all = coveredIn(observer, group, channel, index);
  if (all === 0) return 0;
  const isItself = isIn(observer.node) && coversItself(observer, channel, index);
  return all - (without ? coveredIn(observer, without, channel, index) : 0) - (isItself ? 1 : 0);
}

/** Whether an observer would tell of its own paths on a channel. */
export function coversItself(observer: Observer, channel: number, index: ClusterIndex): boolean {
  const has = (index.masks[observer.node] ?? 0) & (1 << channel);
  return reportedChannels(observer, observer.node, has, index) !== 0;
}

/** How many paths of a subject an observer tells of, in a direction and on some channels, whether they work or not. */
export function knownPaths(
  subject: Subject,
  ways: Ways,
  mask: number,
  index: ClusterIndex,
): (observer: Observer) => number {
  const { inner, outer } = sidesOf(subject, index);
  const toAll = (observer: Observer, side: SideNodes) =>
    channelsIn(mask).reduce(
      (sum, channel) => sum + reportedPaths(observer, side, channel, index),
      0,
    );
  return (observer) => {
    const into = ways !== 'out' && outer.isIn(observer.node) ? toAll(observer, inner) : 0;
    const outOf = ways !== 'in' && inner.isIn(observer.node) ? toAll(observer, outer) : 0;
    return Math.max(into, outOf);
  };
}

interface ProbeTiming {
  readonly index: ClusterIndex;
  readonly times: ProbeTimes;
  readonly timesAtNodes: (beganS: number) => readonly ProbeTime[];
}

/** How soon an observer probes the paths of a cause that began so many seconds ago: hints tell of all but those that only two ends see. */
export function timesOf(
  subject: Subject,
  ways: Ways,
  channels: number,
  beganS: number,
  { times, timesAtNodes, index }: ProbeTiming,
): readonly ProbeTime[] {
  if (subject.type === 'pair') return times.alone;
  // The node alone probes the paths from it, one node after the other.
  if (subject.type === 'node' && ways !== 'out') return timesAtNodes(beganS);
  const { inner, outer } = sidesOf(subject, index);
  // Of two groups it is not told which of them probes more.
  const isOfGroups = subject.type === 'groups';
  const into = ways !== 'out' || isOfGroups ? sizeOfSide(inner) : 0;
  const outOf = ways !== 'in' || isOfGroups ? sizeOfSide(outer) : 0;
  return times.hinted(Math.max(into, outOf), channels);
}
