import type { Trouble, Ways } from '../nouns/cause.js';
import {
  allMask,
  causeMasks,
  endpointHttpMask,
  endpointIcmpMask,
  hostHttpMask,
  hostIcmpMask,
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
  readonly channelSetsOf: (type: Subject['type']) => readonly number[];
  /**
   * What a cause costs, by the type of its subject, beside the choice of one of such subjects. A group costs more than
   * two nodes of a small cluster: that two nodes that fail are just those of some group is no rare chance.
   */
  readonly typeCosts: Readonly<Record<Subject['type'], number>>;
  /** What the choice of the channels and of one direction costs. */
  readonly channelCost: (type: Subject['type'], channels: number, ways: Ways) => number;
  /** So many paths to a node must have the trouble on each channel, and so many from it. */
  readonly leastAtNode: { readonly in: number; readonly out: number };
  /** Some paths have the trouble in any cluster, so only a larger share than that says something. */
  readonly hasUsualShare: boolean;
  /**
   * Each path is probed in each interval by echoes and GETs. So the paths of one cause begin to fail together, and echoes
   * tell a server that does not answer from a network that does not.
   */
  readonly isProbed: boolean;
}

const anyPath = { in: 1, out: 2 };

/** The whole cluster never fails as a whole: then nobody would tell. */
const brokenClusterMasks = causeMasks.filter((mask) => mask !== allMask);

const broken: Weights = {
  channelSetsOf: (type) => (type === 'cluster' ? brokenClusterMasks : causeMasks),
  typeCosts: { cluster: 7, zones: 7.5, group: 18, groups: 18, node: 6.5, pair: 7 },
  channelCost: brokenChannelCost,
  leastAtNode: anyPath,
  hasUsualShare: false,
  isProbed: true,
};

/** For losses and slowness the search finds the channels by their shares. */
const anyChannels = [allMask];

const lossy: Weights = {
  channelSetsOf: () => anyChannels,
  // Many subjects are tested for chance, and losses are frequent, so more evidence is asked for.
  typeCosts: { cluster: 10, zones: 13, group: 27, groups: Infinity, node: 11.5, pair: 11.5 },
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
  channelSetsOf: () => largeMasks,
  // Only what was tested is known, so a larger cause must not be cheaper than a smaller one.
  typeCosts: { cluster: 10, zones: 7.5, group: 19, groups: Infinity, node: 7.5, pair: 7 },
  channelCost: (_, channels) => (channels === httpMask ? 0 : onePlaneCost),
  // Mostly few paths of a node were tested, so one loss says nothing of the others.
  leastAtNode: { in: 2, out: 2 },
  hasUsualShare: false,
  isProbed: false,
};

/** The weights of what is known of paths. */
export const pathWeights: Readonly<Record<Trouble, Weights>> = { broken, lossy, slow, mtu };

/** One of several DNS servers fails. */
const oneServerCost = 0.3;

// From both planes, and from each of them.
const planeMasks = [0b11, 0b01, 0b10];

/**
 * The weights of what nodes say of one target, or of one of its DNS servers.
 * @param planes those from which it is probed, as a mask: they are the channels of its causes
 */
export function targetWeights(trouble: Trouble, planes: number, isOneServer: boolean): Weights {
  const isBroken = trouble === 'broken';
  const channelSets = isBroken && planes === 0b11 ? planeMasks : [planes];
  const serverCost = isOneServer ? oneServerCost : 0;
  return {
    channelSetsOf: () => channelSets,
    // A target has no path of its own between two nodes.
    typeCosts: isBroken
      ? { cluster: 4.5, zones: 5.5, group: Infinity, groups: Infinity, node: 4.5, pair: Infinity }
      : { cluster: 10, zones: 12, group: Infinity, groups: Infinity, node: 10, pair: Infinity },
    channelCost: (_, channels) => (channels === planes ? 0 : onePlaneCost) + serverCost,
    leastAtNode: { in: 1, out: 1 },
    hasUsualShare: !isBroken,
    isProbed: false,
  };
}

function brokenChannelCost(type: Subject['type'], channels: number, ways: Ways): number {
  if (type === 'zones' || type === 'groups')
    return sizeOf(channels) === 1 ? 8 : isProtocol(channels) ? 1 : 0;
  if (type === 'pair')
    return sizeOf(channels) === 1 ? 4 : isProtocol(channels) ? 2 : isPlane(channels) ? 0.3 : 0;
  if (channels === allMask) return 0;
  if (isPlane(channels)) return onePlaneCost;
  if (channels === icmpMask) return 0.5;
  if (channels === httpMask) return 0.8;
  if (isOneServer(channels)) return ways === 'in' ? 0.2 : 3;
  if (channels === hostIcmpMask) return ways === 'in' ? 0.4 : 1.2;
  return channels === endpointIcmpMask ? 1.5 : 0;
}

function isProtocol(mask: number): boolean {
  return mask === icmpMask || mask === httpMask;
}
