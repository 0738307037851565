import { channelsOf, channelsOfAll, type Cause, type Ways } from '../nouns/cause.js';
import { allMask, causeMasks, channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { SeenBy, Side } from '../nouns/sight.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { nodesAt, nodesOf, type Subject } from '../nouns/subject.js';
import { areEnough, leastOfEachNode } from '../evidence/even-probes.js';
import { mostMisfit } from '../evidence/time-model.js';
import { leastOpen } from '../search/explanation.js';
import { failAtFewNodes } from '../evidence/few-nodes.js';
import type { Tally } from '../evidence/tally.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import type { OpenSide } from '../search/subject-paths.js';
import { leastShare } from '../search/prior.js';
import type { PathSubjects } from '../search/path-subjects.js';
import { largerSides } from './larger-sides.js';
import { isMost, knownOf, leastPaths, mayBeFirstPart, wholeShare } from './spreading.js';

// A finding opens when nothing that is still to be looked at can turn it into another one: the surer the
// witnesses, the sooner, as the suspicion of memberlist (suspicion.go).

/** A cause must explain so much more than it costs. A pair has no more than two witnesses, so that it explains something is enough. */
const leastGain = 3;
/** What else it may be is refuted by so much, in natural logarithms of odds. */
const leastMargin = 4.6;
/** So many observers open a finding. Of fewer that look, half must see it. */
const enoughObservers = 3;
/** What fails on a larger share of the paths of a channel, and nothing explains, may be a part of it. */
const chanceShare = 0.1;
/** A zone whose rows have no larger share of the paths of another one need not tell of that one: so few rows may come late. */
const fewRowsShare = 0.05;
/** In a cluster of no more nodes a few of them can look as if all failed. */
const smallClusterNodes = 64;

/**
 * Whether looks that are still to come can make no other cause of a broken one.
 * @param unanswered of a cause that is about what a node sends: the channels on which none of its probes was answered since, as a mask
 */
export function isSure(
  cause: Cause,
  explained: ExplainedTrouble,
  seen: SeenBy,
  unanswered: number,
): boolean {
  const { tally, subjects, causes } = explained;
  const { subject, ways, gain, channels, knownChannels } = cause;
  if (subject.type !== 'pair' && gain < leastGain) return false;
  const { failing, reporting } = seen;
  if (failing < 2 && reporting > 1) return false;
  if (failing < enoughObservers && 2 * failing < reporting) return false;
  // Several pairs of one node may be parts of more.
  const atNode = causesAtNodes(causes);
  const near = nodesOf(subject).flatMap((node) => atNode.get(node) ?? []);
  const pairs = near.filter((one) => subject.type === 'pair' && one.subject.type === 'pair');
  if (new Set(pairs).size > 1) return false;
  const { to, from } = subjects.sides(subject);
  const everywhere = channelsOfAll(explained.larger);
  if (!areChannelsSure(cause, ways === 'out' ? from : to, everywhere)) return false;
  if (!isWhole(cause, explained, unanswered)) {
    // Of a group two paths at least of each node must be told as failing.
    if (subject.type !== 'group') return false;
    const { surelyFailing, of } = subjects.members.states(subject.group, knownChannels, ways);
    if (surelyFailing < of || mayBeCut(cause, subjects, tally)) return false;
  }
  const sides = largerSides(cause, subjects, tally.index);
  if (!sides.every((side) => isRefuted(side, knownChannels))) return false;
  // What else reaches a zone fails too, for what ended: the next rows tell whether it goes on.
  const isOfZonePair = subject.type === 'zones' && subject.other !== undefined;
  if (isOfZonePair && sides.some((side) => isMost(side, knownChannels))) return false;
  const beside = near.filter(
    (one) => subject.type === 'node' && one.subject.type === 'node' && one.channels !== channels,
  );
  // With what fails for all they may be one cause of the whole node, of which the last paths are still to come.
  const parts = channels | channelsOf(beside.filter((one) => one.ways === ways));
  if (parts !== channels && parts !== allMask && (parts | everywhere) === allMask) return false;
  // What fails both ways beside it may be one cause with it, of which probes of the other direction are still to come.
  const isWider = ({ channels: other, ways: its }: Cause) =>
    its === 'both' && ways !== 'both' && causeMasks.includes(channels | other);
  if (beside.some(isWider) && !isRefuted(ways === 'in' ? from : to, knownChannels)) return false;
  if (mayBeFirstPart(cause, explained, channelsOf(beside), sides)) return false;
  return !mayBeOfMore(cause, subjects, tally.index);
}

/** The causes at each node and those of its pairs, by its number. There may be thousands, and each asks for those at its node. */
export function causesAtNodes(causes: readonly Cause[]): ReadonlyMap<number, readonly Cause[]> {
  return getOrInsert(causesByNode, causes, () => {
    const atNodes = new Map<number, Cause[]>();
    for (const cause of causes)
      for (const node of nodesOf(cause.subject)) getOrInsert(atNodes, node, () => []).push(cause);
    return atNodes;
  });
}

/** What `causesAtNodes` counted, by the causes of one run. */
const causesByNode = new WeakMap<readonly Cause[], Map<number, Cause[]>>();

/** Whether all who see a group fail have one value of a label, and there are observers beside both: these decide whether it is a cut between the two. */
function mayBeCut(
  { subject, ways, entries }: Cause,
  { members }: PathSubjects,
  { observations, index: { groups } }: Tally,
): boolean {
  const { entries: all, observers } = observations;
  if (subject.type !== 'group' || ways === 'out') return false;
  const { has: ofGroup } = groups[subject.group] ?? {};
  const seeing = new Set(entries.map((entry) => all.from[entry] ?? -1));
  const others = [...seeing].filter((node) => ofGroup?.[node] !== 1);
  return members.with(others).some((group) => {
    const { members: near = [], has } = groups[group] ?? {};
    return (
      near.every((node) => ofGroup?.[node] !== 1) &&
      observers.some(({ node }) => has?.[node] !== 1 && ofGroup?.[node] !== 1)
    );
  });
}

/** Whether other nodes of a larger group have the trouble too, none of them is known to be well, and of some it is not known. */
function mayBeOfMore(
  { subject, knownChannels, ways }: Cause,
  { members }: PathSubjects,
  index: ClusterIndex,
): boolean {
  if (subject.type !== 'node' && subject.type !== 'group') return false;
  const nodes = nodesAt(subject, index);
  // Of a node that fails both ways the others may fail one way.
  const directions = ways === 'both' ? (['in', 'out'] as const) : [ways];
  return members.around(nodes).some((group) =>
    directions.some((direction) => {
      const { failing, well, of } = members.states(group, knownChannels, direction);
      return well === 0 && failing > nodes.length && failing < of;
    }),
  );
}

/**
 * Whether a cause at zones or the cluster is not only that of some nodes there. Of what hints told about, more paths are
 * known to fail at first than of the rest. So most paths must be told as failing, or as many as probes come round,
 * or none of a node's probes be answered.
 */
function isWhole(
  { subject, knownChannels, ways }: Cause,
  { subjects, tally }: ExplainedTrouble,
  unanswered: number,
): boolean {
  const isNode = subject.type === 'node';
  if (subject.type === 'pair' || (isNode && ways === 'in')) return true;
  if (!isSeenByEachZone(subject, ways, knownChannels, subjects, tally.index)) return false;
  const { to, from } = subjects.sides(subject);
  const { size } = tally.index;
  // So many paths of the cluster fail that those of some of its nodes alone would show (`workingOfEvenProbes`).
  const isEven = (channel: number) => (to.bad[channel] ?? 0) >= leastOfEachNode * size;
  const mayBeEven = subject.type === 'cluster' && areEnough(knownChannels, isEven);
  if (mayBeEven && (size > smallClusterNodes || !failAtFewNodes(tally, knownChannels))) return true;
  if (!isNode && ways !== 'out' && isMost(to, knownChannels)) return true;
  if (ways !== 'in' && isMost(from, knownChannels & ~unanswered)) return true;
  return subject.type === 'zones' && subjects.cuts.isEven(subject, ways, knownChannels, wholeShare);
}

/**
 * Whether the paths between a zone and each other zone are told as failing, where more than a few are told at all. Where two zones are
 * cut, and the third has not looked yet, most of what is told is of one of the two.
 */
function isSeenByEachZone(
  subject: Subject,
  ways: Ways,
  mask: number,
  subjects: PathSubjects,
  { zones }: ClusterIndex,
): boolean {
  if (subject.type !== 'zones' || subject.other !== undefined) return true;
  const { group } = subject;
  const whole = subjects.sides(subject)[ways === 'out' ? 'from' : 'to'];
  return zones.every((_, other) => {
    if (other === group) return true;
    const { to, from } = subjects.sides({ type: 'zones', group, other });
    const { bad, reported } = ways === 'out' ? to : from;
    return channelsIn(mask).every((channel) => {
      const isFew = (reported[channel] ?? 0) <= fewRowsShare * (whole.reported[channel] ?? 0);
      return isFew || (bad[channel] ?? 0) > 0;
    });
  });
}

/**
 * Whether no cause of more channels can be meant: of each that has those of this one, a further channel is known to work, or all
 * of them are known.
 * @param everywhere what fails there anyway says nothing of the subject
 */
export function areChannelsSure(
  { channels }: Pick<Cause, 'channels'>,
  side: OpenSide,
  everywhere: number,
): boolean {
  // Where a part of it fails anyway, what fails with that may do so for the same reason.
  const isShared = (everywhere & channels) !== 0;
  const apart = isShared ? 0 : everywhere;
  let [known, working] = [apart, 0];
  for (const channel of channelsIn(allMask & ~apart)) {
    const bit = 1 << channel;
    const bad = side.bad[channel] ?? 0;
    const isOwn = (channels & bit) !== 0;
    if (isOwn && bad > 0) continue;
    const isSome = bad > chanceShare * knownOf(side, channel);
    if (isSome && (side.open[channel] ?? 0) > leastOpen) return false;
    if (!isPending(side, channel)) known |= bit;
    else if (isOwn) return false;
    if (!isSome && mostMisfit * (side.well[channel] ?? 0) >= leastMargin) working |= bit;
  }
  if (isShared) return (known | channels) === allMask;
  return causeMasks.every((mask) => {
    const further = mask & ~channels;
    return (mask & channels) !== channels || (further & working) !== 0 || (further & ~known) === 0;
  });
}

/** Whether a larger cause is known not to be, or cannot be told from this one. */
function isRefuted(side: Side, mask: number): boolean {
  const isOpen = (channel: number) => isPending(side, channel);
  const works = (channel: number) => (side.bad[channel] ?? 0) < leastShare * knownOf(side, channel);
  const channels = channelsIn(mask);
  return channels.some((one) => !isOpen(one) && works(one)) || !channels.some(isOpen);
}

/** Whether looks are still to come that decide whether a channel works. */
function isPending(side: Side, channel: number): boolean {
  if (mostMisfit * (side.well[channel] ?? 0) >= leastMargin) return false;
  const reported = side.reported[channel] ?? 0;
  return reported - knownOf(side, channel) >= leastPaths;
}
