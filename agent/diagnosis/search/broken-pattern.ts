import { channelsOf, sumOfWays, singleWays, type Ways } from '../nouns/cause.js';
import {
  allMask,
  causeMasks,
  channelsIn,
  endpointMask,
  hostMask,
  httpMask,
  icmpMask,
  isAnsweredOn,
  isOneServer,
  maskOf,
  sumOn,
  rowChannel,
} from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import { leastOpen } from './explanation.js';
import type { FormerCauses } from './former-causes.js';
import {
  apartCost,
  leastClusterShare,
  leastKnownShare,
  leastShare,
  priorCost,
  wellWeight,
  type Belief,
} from './prior.js';
import type { OpenSide, Pattern, SubjectPaths } from './subject-paths.js';

/** The cause of broken paths or lost large packets with a set of channels and a direction, if it gains more than that. */
export function brokenPattern(
  paths: SubjectPaths,
  channels: number,
  ways: Ways,
  leastGain: number,
): Pattern | undefined {
  const { type, everywhere = 0, support = 0 } = paths;
  // The most that it can gain: what it could explain, if it cost nothing.
  const openTo = sumOn(channels, paths.to.open);
  const openFrom = sumOn(channels, paths.from.open);
  if (sumOfWays(ways, openTo, openFrom) + support <= leastGain) return undefined;
  const { answering = 0, answered = 0 } = paths;
  const isOfNodes = type === 'node' || type === 'group';
  // A node whose own server is gone refuses what reaches it.
  const refused = { in: isOfNodes ? 0 : answering, out: answered };
  const broken = { in: 0, out: 0 };
  // What was known in parts may be one cause by now: a part of a cause is often seen before the whole.
  const knownParts = paths.known?.filter((part) => (part.channels & ~channels) === 0) ?? [];
  const inParts = channelsOf(knownParts);
  // What a node sends, or fails both ways, one row more may show to be something else.
  const knownTo = type === 'node' && ways === 'in' ? inParts : 0;
  const newShare = type === 'cluster' ? leastClusterShare : leastShare;
  const { leastAtNode, isProbed } = paths.weights;
  let mask = 0;
  let open = 0;
  let well = 0;
  let hostOpen = 0;
  for (const channel of channelsIn(channels)) {
    const bit = 1 << channel;
    const least = (inParts & bit) === 0 ? newShare : leastKnownShare;
    for (const way of singleWays[ways]) {
      const side = sideIn(paths, way);
      if (!isSeen(side, channel)) continue;
      const works = worksOn(side, channel, knownTo);
      const fails = side.bad[channel] ?? 0;
      if (fails < (type === 'node' ? leastAtNode[way] : 1) || fails < least * (fails + works))
        return undefined;
      mask |= bit;
      broken[way] |= bit;
      open += side.open[channel] ?? 0;
      // What works where all fails contradicts the cause of that.
      if ((everywhere & bit) === 0) well += side.well[channel] ?? 0;
    }
    if (channel < 2) hostOpen += (paths.to.open[channel] ?? 0) + (paths.from.open[channel] ?? 0);
  }
  if (open <= leastOpen || (ways === 'both' && (broken.in === 0 || broken.out === 0)))
    return undefined;
  if (isAnsweredOn(broken.in, refused.in) || isAnsweredOn(broken.out, refused.out))
    return undefined;
  const { apart = 0 } = paths;
  const lacksHostEvidence = isOfNodes && channels === allMask && hostOpen <= leastOpen;
  const isNeedless = isProbed && breaksMoreThanNeeded(paths, channels, ways);
  const belief = isNeedless ? 'none' : beliefIn(knownParts);
  const priorOf = priorCost(paths, channels, ways, belief, lacksHostEvidence);
  // Nothing that is added to the cost below is negative.
  let cost = priorOf + wellWeight * well - support;
  if (open - cost <= leastGain) return undefined;
  if (isProbed) {
    if (paths.pastCauses?.wasOne(channels, ways) !== true) {
      if (!beganAtOnce(paths, mask, ways)) return undefined;
      if (ways === 'both' && !beganBothWays(paths, mask)) return undefined;
    }
    if (!failsByItself(paths, mask, ways, knownTo)) return undefined;
    const against = well + (paths.workedMeanwhile?.(mask, ways) ?? 0);
    const unlike =
      serverCost(paths, channels) +
      (isNeedless ? needlessCost : 0) +
      (ways === 'both' ? apartCost(apart) : 0);
    cost = priorOf + wellWeight * against + unlike - support;
  }
  const gain = open - cost;
  return gain > leastGain ? { channels, knownChannels: mask, ways, well, cost, gain } : undefined;
}

/** What is believed of a cause since the last run, by the causes that it had parts of it, or all of it. */
function beliefIn(known: FormerCauses): Belief {
  if (known.length === 0) return 'none';
  return known.some(({ isRecovering }) => isRecovering) ? 'recovering' : 'known';
}

function sideIn({ to, from }: SubjectPaths, way: 'in' | 'out'): OpenSide {
  return way === 'in' ? to : from;
}

/**
 * How many paths work on a channel. Against what was a cause in the last run, as a mask, those count that were surely probed since it
 * began: while it spreads, how many were probed is a guess.
 */
function worksOn({ well, probed }: Side, channel: number, known: number): number {
  return ((known >> channel) & 1 ? well : probed)[channel] ?? 0;
}

function isSeen({ bad, probed }: Side, channel: number): boolean {
  return (bad[channel] ?? 0) + (probed[channel] ?? 0) > 0.05;
}

/**
 * Whether the paths of a mask that nothing explains yet began to fail at the same time on all channels and in both directions. A
 * node may die in steps, so where nothing of it works they need not. Nor need they where no smaller cause breaks what began last:
 * the rest failed before. What a cause broke that is over may have begun to fail for this one at any time until then.
 */
function beganAtOnce(paths: SubjectPaths, mask: number, ways: Ways): boolean {
  const { from, beganS, onsetS = Infinity, pastCauses } = paths;
  const mayBeDead = mask === allMask && ways !== 'out' && (from.well[rowChannel] ?? 0) === 0;
  if (!beganS || mayBeDead) return true;
  const begins = singleWays[ways].flatMap((way) =>
    channelsIn(mask & maskOf(sideIn(paths, way).open, leastOpen))
      .filter((channel) => pastCauses?.isOver(channel) !== true)
      .map((channel) => ({ channel, way, s: beganS(channel, way) })),
  );
  const youngestS = Math.min(...begins.map(({ s }) => s));
  const last = begins.filter(({ s }) => s <= youngestS + onsetS);
  if (last.length === begins.length) return true;
  const channels = last.reduce((all, { channel }) => all | (1 << channel), 0);
  const isOneWay = new Set(last.map(({ way }) => way)).size < singleWays[ways].length;
  return !causeMasks.includes(channels) || (channels === mask && !isOneWay);
}

/** Whether the paths to a node and those from it began to fail at the same time on some channel of a mask. If not, these are two causes. */
function beganBothWays(
  { beganS, bothWaysS = Infinity, pastCauses }: SubjectPaths,
  mask: number,
): boolean {
  if (!beganS) return true;
  return channelsIn(mask).some(
    (channel) =>
      Math.abs(beganS(channel, 'in') - beganS(channel, 'out')) <= bothWaysS ||
      pastCauses?.isOver(channel) === true,
  );
}

/**
 * Whether most paths fail on each channel and in each direction without those that other causes explain. Of a node whose zone is
 * off beside it, what it does not reach there says nothing of what it sends.
 */
function failsByItself(paths: SubjectPaths, mask: number, ways: Ways, known: number): boolean {
  const { explainedPaths } = paths;
  if (!explainedPaths) return true;
  const isFound = paths.known?.some(({ isOpen }) => isOpen) === true;
  return singleWays[ways].every((way) => {
    const side = sideIn(paths, way);
    const open = mask & maskOf(side.open, leastOpen) & maskOf(side.probed);
    // Mostly nothing works there.
    if (open === 0) return true;
    const explained = explainedPaths(way);
    return channelsIn(open).every((channel) => {
      const bad = side.bad[channel] ?? 0;
      const own = bad - (explained[channel] ?? 0);
      // Of a node that is told already one path more is no other direction, where others are not told as failing.
      const isOneMore = isFound && own === 1 && bad > 1;
      if (isOneMore && (side.reported[channel] ?? 0) > bad + 1) return false;
      return own >= leastKnownShare * (own + worksOn(side, channel, known));
    });
  });
}

/** A cause that breaks more than it must, where another one explains the rest. That it was one before says nothing. */
const needlessCost = 1;

/**
 * Whether some channels of a cause are explained already by another one at its node, and HTTP or echoes are enough. Of echoes on
 * both planes any other cause may explain one, and of both servers too, where echoes tell the other one from the network.
 */
function breaksMoreThanNeeded(paths: SubjectPaths, channels: number, ways: Ways): boolean {
  const { to, from } = paths;
  const isOneProtocol = channels === icmpMask || channels === httpMask;
  const explained = isOneProtocol ? channels : (paths.explained ?? 0);
  let needed = channels;
  for (const channel of channelsIn(explained & channels)) {
    const open = sumOfWays(ways, to.open[channel], from.open[channel]);
    if (open <= leastOpen) needed &= ~(1 << channel);
  }
  // What is left of a plane says too little of its server.
  const isServer =
    channels === httpMask && isOneServer(needed) && sumOn(echoBeside(needed), to.well) > 0;
  const isEnough = needed === httpMask || (needed !== 0 && (needed & httpMask) === 0) || isServer;
  return needed !== channels && isEnough;
}

/** The echoes that go where the GETs of one server go, as a mask: the channel before. */
function echoBeside(server: number): number {
  return server >> 1;
}

/** An answer such as a refused connection shows that packets travel, and silence may hide that they do not. */
const unlikelyCost = 1.5;
/** No echo and no answer tells the server from the network. */
const unsureCost = 0.3;

/**
 * Echoes tell a server that does not answer from a network that does not. Where they say nothing,
 * since they fail for a larger cause or nobody sends any, the failures of HTTP decide.
 */
function serverCost({ type, to, answering = 0 }: SubjectPaths, channels: number): number {
  if (type !== 'node' && type !== 'group') return 0;
  if (isOneServer(channels)) {
    const isSure = sumOn(echoBeside(channels), to.well) > 0 || (answering & channels) !== 0;
    return isSure ? 0 : unsureCost;
  }
  // Who refuses is reached, so that the other server is silent is for another reason.
  const isHalfRefused = channels === httpMask && isOneServer(answering & httpMask);
  let cost = isHalfRefused ? unlikelyCost : 0;
  for (const plane of [hostMask, endpointMask]) {
    const isWholePlane = (channels & plane) === plane;
    const isAnswered = (answering & plane & httpMask) !== 0;
    if (isWholePlane && isAnswered && sumOn(plane & icmpMask, to.open) <= leastOpen)
      cost += unlikelyCost;
  }
  return cost;
}
