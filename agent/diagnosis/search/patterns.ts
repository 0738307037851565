import type { Ways } from '../nouns/cause.js';
import type { Subject } from '../nouns/subject.js';
import {
  allMask,
  endpointHttpMask,
  endpointMask,
  hostHttpMask,
  hostMask,
  icmpMask,
  isOneServer,
} from '../nouns/channel-mask.js';
import { leastOpen } from './explanation.js';
import {
  apartCost,
  degradedChannelCost,
  leastDegradedShare,
  leastKnownShare,
  leastShare,
  priorCost,
  wellWeight,
  type Belief,
} from './prior.js';
import type { KnownClaims } from './known-claims.js';
import type { Side } from '../nouns/sight.js';
import type { Weights } from './weights.js';

/** The paths of a subject in one direction, and the weight of those that nothing explains yet. */
export interface OpenSide extends Side {
  readonly open: ArrayLike<number>;
}

/** The channels and the direction that a cause at a subject would break, and what that gains. */
export interface Pattern {
  readonly claim: number;
  readonly mask: number;
  readonly ways: Ways;
  readonly well: number;
  readonly cost: number;
  /** The weight of what it would newly explain, less its cost. */
  readonly gain: number;
}

/** A subject, with its paths in both directions. */
export interface Look {
  readonly type: Subject['type'];
  readonly weights: Weights;
  /** How many subjects of that type there are. */
  readonly subjects: number;
  readonly to: OpenSide;
  /** Undefined for the cluster, whose paths have one direction. */
  readonly from: OpenSide | undefined;
  /** The channels on which most failures are answers: of the node's host, or to its own probes. */
  readonly answering?: number;
  readonly answered?: number;
  /** How many nodes there are, where fewer than two on one side are affected. */
  readonly loneIn?: number | undefined;
  /** For each channel, the mean age of its failures in seconds. */
  readonly meanAgeS?: (channel: number, ways: Ways) => number;
  /** Channels of one cause begin to fail within this time, in seconds. */
  readonly onsetS?: number;
  /** How far apart the two directions began to fail, in HTTP intervals. */
  readonly apart?: number;
  /** What speaks for a cause here beside its paths. */
  readonly support?: number;
  /** The claims of its causes in the last run; undefined if it had none. */
  readonly known: KnownClaims | undefined;
  /** For lossy and slow paths: the usual share by channel. */
  readonly usual?: readonly number[];
}

/** A direction without paths. */
export const noSide: OpenSide = { bad: [0, 0, 0, 0], well: [0, 0, 0, 0], open: [0, 0, 0, 0] };

/** The best cause at a subject; undefined if none explains more than it costs. */
export function bestPattern(look: Look): Pattern | undefined {
  const open = openMask(look.to) | openMask(look.from ?? noSide);
  if (open === 0) return undefined;
  let best: Pattern | undefined;
  const { claimsAt, hasUsualShare } = look.weights;
  const claims = claimsAt(look.type);
  for (const ways of waysOf(look)) {
    for (const claim of claims) {
      if ((claim & open) === 0) continue;
      const pattern = hasUsualShare
        ? degradedPattern(look, ways)
        : brokenPattern(look, claim, ways, best?.gain ?? 0);
      if (pattern && pattern.gain > (best?.gain ?? 0)) best = pattern;
    }
  }
  return best;
}

/** The directions in which paths are known to have the trouble. */
function waysOf({ to, from }: Look): readonly Ways[] {
  if (!from || !hasBad(from)) return ['in'];
  return hasBad(to) ? ['in', 'both', 'out'] : ['out'];
}

function hasBad({ bad }: Side): boolean {
  return (bad[0] ?? 0) + (bad[1] ?? 0) + (bad[2] ?? 0) + (bad[3] ?? 0) > 0;
}

/** The channels on which something is not explained yet, as a mask. */
function openMask({ open }: OpenSide): number {
  let mask = 0;
  for (let channel = 0; channel < 4; channel++) {
    if ((open[channel] ?? 0) > leastOpen) mask |= 1 << channel;
  }
  return mask;
}

/** @param leastGain a pattern that gains no more is not asked for, and may be left out */
function brokenPattern(
  look: Look,
  claim: number,
  ways: Ways,
  leastGain: number,
): Pattern | undefined {
  const { type, to, from = noSide } = look;
  // Refused connections are answers of each server. Neither the network nor the sender is at fault.
  const { answering = 0, answered = 0 } = look;
  const isRegion = type === 'cluster' || type === 'zones';
  const isOfNodes = type === 'node' || type === 'group';
  const refuses = isRegion ? answering : isOfNodes && ways !== 'in' ? answered : 0;
  if ((claim & icmpMask) === 0 && (claim & refuses) !== 0) return undefined;
  const isKnown = look.known?.has(claim) === true;
  const least = isKnown ? leastKnownShare : leastShare;
  const { leastAtNode, isProbed } = look.weights;
  const [leastIn, leastOut] = type === 'node' ? [leastAtNode.to, leastAtNode.from] : [1, 1];
  let [mask, failing, open, well, hostOpen] = [0, 0, 0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const bit = 1 << channel;
    if ((claim & bit) === 0) continue;
    if (ways !== 'out' && isSeen(to, channel)) {
      if (!isFailing(to, channel, least, leastIn)) return undefined;
      mask |= bit;
      failing |= 1;
      open += to.open[channel] ?? 0;
      well += to.well[channel] ?? 0;
    }
    if (ways !== 'in' && isSeen(from, channel)) {
      if (!isFailing(from, channel, least, leastOut)) return undefined;
      mask |= bit;
      failing |= 2;
      open += from.open[channel] ?? 0;
      well += from.well[channel] ?? 0;
    }
    if (channel < 2) hostOpen += (to.open[channel] ?? 0) + (from.open[channel] ?? 0);
  }
  if (mask === 0 || open <= leastOpen || (ways === 'both' && failing !== 3)) return undefined;
  const { weights, subjects, loneIn, support = 0, apart = 0 } = look;
  // Nothing that is added to the cost below is negative.
  if (open + support <= leastGain) return undefined;
  const lacksHostEvidence = isProbed && isOfNodes && claim === allMask && hostOpen <= leastOpen;
  const belief = beliefIn(look.known, claim);
  const prior = { type, weights, claim, ways, subjects, loneIn, lacksHostEvidence, belief };
  const against = well + (isProbed ? workedMeanwhile(look, mask, ways) : 0);
  const unlike = isProbed ? serverCost(look, claim) + (ways === 'both' ? apartCost(apart) : 0) : 0;
  const cost = priorCost(prior) + wellWeight * against + unlike - support;
  return { claim, mask, ways, well, cost, gain: open - cost };
}

/** What is believed of a claim since the last run. A part of a cause is often seen before the whole. */
function beliefIn(known: KnownClaims | undefined, claim: number): Belief {
  if (!known) return 'none';
  let belief: Belief = 'none';
  for (const [part, { isRecovering }] of known) {
    if ((part & ~claim) !== 0) continue;
    if (isRecovering) return 'recovering';
    belief = 'known';
  }
  return belief;
}

function isSeen({ bad, well, looked = well }: Side, channel: number): boolean {
  return (bad[channel] ?? 0) + (looked[channel] ?? 0) > 0.05;
}

function isFailing(
  { bad, well, looked = well }: Side,
  channel: number,
  least: number,
  atLeast: number,
): boolean {
  const [fails, works] = [bad[channel] ?? 0, looked[channel] ?? 0];
  return fails >= atLeast && fails >= least * (fails + works);
}

/**
 * How many failing paths of a mask began to fail long after the others: they worked when the cause
 * began. This counts only for those that another cause explains, since a fault may also grow.
 */
function workedMeanwhile(look: Look, mask: number, ways: Ways): number {
  const { to, from = noSide, meanAgeS, onsetS = Infinity } = look;
  if (!meanAgeS) return 0;
  let [oldestS, covered] = [0, 0];
  for (let channel = 0; channel < 4; channel++) {
    if (((mask >> channel) & 1) === 0) continue;
    const open =
      (ways === 'out' ? 0 : (to.open[channel] ?? 0)) +
      (ways === 'in' ? 0 : (from.open[channel] ?? 0));
    if (open > leastOpen) oldestS = Math.max(oldestS, meanAgeS(channel, ways));
    else covered |= 1 << channel;
  }
  let paths = 0;
  for (let channel = 0; covered !== 0 && channel < 4; channel++) {
    if (((covered >> channel) & 1) === 0 || meanAgeS(channel, ways) >= oldestS - onsetS) continue;
    paths += ways === 'out' ? 0 : (to.bad[channel] ?? 0);
    paths += ways === 'in' ? 0 : (from.bad[channel] ?? 0);
  }
  return paths;
}

/** An answer such as a refused connection shows that packets travel, and silence may hide that they do not. */
const unlikelyCost = 1.5;
/** No echo and no answer tells the server from the network. */
const unsureCost = 0.3;

const planesWithServers = [
  { plane: hostMask, http: hostHttpMask, echo: 0 },
  { plane: endpointMask, http: endpointHttpMask, echo: 2 },
] as const;

/**
 * Echoes tell a server that does not answer from a network that does not. Where they say nothing,
 * since they fail for a larger cause or nobody sends any, the failures of HTTP decide.
 */
function serverCost({ type, to, answering = 0 }: Look, claim: number): number {
  if (type !== 'node' && type !== 'group') return 0;
  if (isOneServer(claim)) {
    const echo = claim === hostHttpMask ? 0 : 2;
    const isSure = (to.well[echo] ?? 0) > 0 || (answering & claim) !== 0;
    return isSure ? 0 : unsureCost;
  }
  let cost = 0;
  for (const { plane, http, echo } of planesWithServers) {
    const claimsPlane = (claim & plane) === plane;
    if (claimsPlane && (answering & http) !== 0 && (to.open[echo] ?? 0) <= leastOpen)
      cost += unlikelyCost;
  }
  return cost;
}

/**
 * For paths that lose probes or are slow: the likelihood of so many of them with this cause against
 * that without one, channel by channel.
 */
function degradedPattern(look: Look, ways: Ways): Pattern | undefined {
  const { type, weights, subjects, to, from = noSide, usual = [], loneIn } = look;
  // Chance and busy moments pass, so only a finding that is open stays with less than a new one needs.
  const isOpen = look.known !== undefined && [...look.known.values()].some((known) => known.isOpen);
  let [mask, well, misfit, open, failing] = [0, 0, 0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const sum = (pick: (side: OpenSide) => ArrayLike<number>) =>
      (ways === 'out' ? 0 : (pick(to)[channel] ?? 0)) +
      (ways === 'in' ? 0 : (pick(from)[channel] ?? 0));
    const bad = sum((side) => side.bad);
    const works = sum((side) => side.well);
    const share = Math.min(bad / (bad + works), 0.98);
    const rate = usual[channel] ?? 0.5;
    const least = isOpen ? 2 * rate : Math.max(leastDegradedShare, 2 * rate);
    if (bad === 0 || share < least) continue;
    const weight = sum((side) => side.open);
    const against = -bad * Math.log(share) - works * Math.log((1 - share) / (1 - rate));
    if (weight - against - degradedChannelCost <= 0.3) continue;
    open += weight;
    misfit += against + degradedChannelCost;
    well += works;
    mask |= 1 << channel;
    if ((to.bad[channel] ?? 0) > 0) failing |= 1;
    if ((from.bad[channel] ?? 0) > 0) failing |= 2;
  }
  if (mask === 0 || (ways === 'both' && failing !== 3)) return undefined;
  const prior = {
    type,
    weights,
    claim: mask,
    ways,
    subjects,
    loneIn,
    belief: isOpen ? 'recovering' : 'none',
  } as const;
  const cost = priorCost(prior) + misfit;
  return { claim: mask, mask, ways, well, cost, gain: open - cost };
}
