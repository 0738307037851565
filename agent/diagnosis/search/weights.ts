import type { Trouble, Ways } from '../nouns/cause.js';
import {
  allMask,
  causeMasks,
  endpointHttpMask,
  endpointIcmpMask,
  endpointMask,
  hostHttpMask,
  hostIcmpMask,
  hostMask,
  httpMask,
  icmpMask,
  isOneServer,
  isPlane,
  sizeOf,
} from '../nouns/channel-mask.js';
import type { Subject } from '../nouns/subject.js';

// Broken, lossy and slow paths, large packets and targets are explained by one search. This is all that differs.
// Costs are negative natural logarithms of how likely something is in a given cluster at a given time.

/** What decides which causes the search tries for one kind of evidence, and what it costs to assume one. */
export interface Weights {
  /** The sets of channels that one cause may break, at a subject of a type. */
  readonly claimsAt: (type: Subject['type']) => readonly number[];
  /**
   * What a cause costs, by the type of its subject, beside the choice of one of such subjects. A group costs more than
   * two nodes of a small cluster: that two nodes that fail are just those of some group is no rare chance.
   */
  readonly typeCosts: Readonly<Record<Subject['type'], number>>;
  /** What the choice of the channels and of one direction costs. */
  readonly channelCost: (type: Subject['type'], claim: number, ways: Ways) => number;
  /** So many paths to a node must have the trouble on each channel, and so many from it. */
  readonly leastAtNode: { readonly to: number; readonly from: number };
  /** Some paths have the trouble in any cluster, so only a larger share than that says something. */
  readonly hasUsualShare: boolean;
  /**
   * Each path is probed in each interval by echoes and GETs. So the paths of one cause begin to fail together, and echoes
   * tell a server that does not answer from a network that does not.
   */
  readonly isProbed: boolean;
}

const anyPath = { to: 1, from: 2 };

/** The whole cluster never fails as a whole: then nobody would tell. */
const brokenClusterMasks = causeMasks.filter((mask) => mask !== allMask);

const broken: Weights = {
  claimsAt: (type) => (type === 'cluster' ? brokenClusterMasks : causeMasks),
  typeCosts: { cluster: 7, zones: 7.5, group: 18, groups: 18, node: 6.5, pair: 7 },
  channelCost: brokenChannelCost,
  leastAtNode: anyPath,
  hasUsualShare: false,
  isProbed: true,
};

/** For losses and slowness the search finds the channels by their shares. */
const anyChannels = [allMask];

const lossy: Weights = {
  claimsAt: () => anyChannels,
  // Many subjects are tested for chance, and losses are frequent, so more evidence is asked for.
  typeCosts: { cluster: 10, zones: 13, group: 27, groups: Infinity, node: 11.5, pair: 12.5 },
  channelCost: () => 0,
  leastAtNode: anyPath,
  hasUsualShare: true,
  isProbed: false,
};

const slow: Weights = {
  ...lossy,
  // One busy node makes several paths slow at once, so each of them says less.
  typeCosts: { cluster: 10, zones: 14, group: 29, groups: Infinity, node: 12.5, pair: 18 },
};

/** Large packets are tested by HTTP. */
const largeMasks = [httpMask, hostHttpMask, endpointHttpMask];
/** One of two planes. */
const onePlaneCost = 0.3;

const mtu: Weights = {
  claimsAt: () => largeMasks,
  // Only what was tested is known, so a larger cause must not be cheaper than a smaller one.
  typeCosts: { cluster: 10, zones: 7.5, group: 19, groups: Infinity, node: 7.5, pair: 7 },
  channelCost: (_, claim) => (claim === httpMask ? 0 : onePlaneCost),
  // Mostly few paths of a node were tested, so one loss says nothing of the others.
  leastAtNode: { to: 2, from: 2 },
  hasUsualShare: false,
  isProbed: false,
};

/** The weights of what is known of paths. */
export const pathWeights: Readonly<Record<Trouble, Weights>> = { broken, lossy, slow, mtu };

/** One of several DNS servers fails. */
const oneServerCost = 0.3;

/**
 * The weights of what nodes say of one target.
 * @param planes the channels of the planes from which it is probed
 * @param isOneServer it is about one of several DNS servers
 */
export function targetWeights(trouble: Trouble, planes: number, isOneServer: boolean): Weights {
  const isBroken = trouble === 'broken';
  const claims = isBroken && planes === allMask ? [allMask, hostMask, endpointMask] : [planes];
  const serverCost = isOneServer ? oneServerCost : 0;
  return {
    claimsAt: () => claims,
    // A target has no path of its own between two nodes.
    typeCosts: isBroken
      ? { cluster: 4.5, zones: 5.5, group: Infinity, groups: Infinity, node: 4.5, pair: Infinity }
      : { cluster: 10, zones: 12, group: Infinity, groups: Infinity, node: 10, pair: Infinity },
    channelCost: (_, claim) => (claim === planes ? 0 : onePlaneCost) + serverCost,
    leastAtNode: { to: 1, from: 1 },
    hasUsualShare: !isBroken,
    isProbed: false,
  };
}

/** What a choice of channels costs, by the type of the subject. */
function brokenChannelCost(type: Subject['type'], claim: number, ways: Ways): number {
  if (type === 'zones' || type === 'groups')
    return sizeOf(claim) === 1 ? 8 : isProtocol(claim) ? 1 : 0;
  if (type === 'pair')
    return sizeOf(claim) === 1 ? 4 : isProtocol(claim) ? 2 : isPlane(claim) ? 0.3 : 0;
  if (claim === allMask) return 0;
  if (isPlane(claim)) return onePlaneCost;
  if (claim === icmpMask) return 0.5;
  if (claim === httpMask) return 0.8;
  if (isOneServer(claim)) return ways === 'in' ? 0.2 : 3;
  if (claim === hostIcmpMask) return ways === 'in' ? 0.4 : 1.2;
  return claim === endpointIcmpMask ? 1.5 : 0;
}

function isProtocol(mask: number): boolean {
  return mask === icmpMask || mask === httpMask;
}
