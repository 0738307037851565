import { countsAt } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';
import type { Ways } from '../nouns/cause.js';
import { allMask, sizeOf } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import type { Seen } from '../nouns/sight.js';
import { leastDegradedShare, lnChanceOfGroup, mostChance } from './prior.js';
import { pathWeights } from './weights.js';

/** Of broken paths and large packets: a node has the trouble if so large a share of its known paths has it. */
const leastNodeShare = 0.5;

/** A group of this part of such a share of the nodes is so large that the others have trouble with it as single nodes have. */
const largeShare = 0.7;

/** Of most nodes of a group it must be known that they have its trouble. */
const leastKnownMembers = 2 / 3;

/** Fewer paths than this are none: old rows count as parts of one. */
const leastKnown = 0.05;

/** Most groups have a node that is well, so they take less than a microsecond. */
const groupsPerStep = 500;

/** How many groups like this one there are, so how many may have a trouble in common by chance: with a pair all are. */
export function countLike(group: number, { groups, singles }: ClusterIndex): number {
  return group < singles ? singles : groups.length;
}

/** Which nodes of a group have a trouble, which of the others have it too, and whether that is chance. */
export class GroupNodes {
  readonly #tally: Tally;
  /** The least share of a node that has the trouble. */
  readonly #least: number;
  #badPaths: number | undefined;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.#least = pathWeights[tally.trouble].hasUsualShare ? leastDegradedShare : leastNodeShare;
  }

  /** The groups of which all nodes that are known have the trouble, and so few of the others that it is no chance. It yields after each. */
  *candidates(): Generator<undefined, readonly number[]> {
    const { size, groups } = this.#tally.index;
    if (groups.length === 0) return [];
    const states = Uint8Array.from({ length: size }, (_, node) => this.#stateOf(node));
    const all = states.filter((state) => state === 1).length;
    const found: number[] = [];
    for (const [number, { members }] of groups.entries()) {
      if (number % groupsPerStep === 0) yield;
      if (members.some((node) => states[node] === 0)) continue;
      const failing = members.filter((node) => states[node] === 1).length;
      if (!isMost(failing, members.length)) continue;
      const isNoChance = (others: number) =>
        this.#isNoChance(number, { nodes: size, members: failing, others });
      if (isNoChance(all - failing) || this.#explainsOthers(number, isNoChance)) found.push(number);
      yield;
    }
    return found;
  }

  /**
   * Whether so few of the others have the trouble without their paths to the group that it is no chance. The others have
   * trouble with a large group, and with a smaller one where little else is known, though not with each other.
   */
  #explainsOthers(group: number, isNoChance: (others: number) => boolean): boolean {
    const { members } = this.#group(group);
    const isLarge = members.length > largeShare * this.#least * this.#tally.index.size;
    if (!isNoChance(0) || (!isLarge && !this.#hasMost(group))) return false;
    return isNoChance(this.beside(group, allMask, 'both').failing);
  }

  /** Whether most of all paths with the trouble are paths of a group, where those within it count twice. */
  #hasMost(group: number): boolean {
    const { bad, badEntries } = this.#tally;
    const count = this.#group(group).members.reduce(
      (sum, node) => sum + countsAt(this.#tally, node, allMask, 'both').bad,
      0,
    );
    this.#badPaths ??= badEntries.reduce((sum, entry) => sum + sizeOf(bad[entry] ?? 0), 0);
    return 2 * count >= this.#badPaths;
  }

  /**
   * Whether each node of a group of which it is known has the trouble on a mask of channels, and whether it is known of
   * most of them, and of so many others that it is no chance.
   */
  isOfAll(group: number, mask: number, ways: Ways): boolean {
    const { failing, of } = this.within(group, mask, ways);
    if (failing < of || !isMost(of, this.#group(group).members.length)) return false;
    const others = this.beside(group, mask, ways);
    if (others.of === 0) return false;
    const counts = { nodes: of + others.of, members: of, others: others.failing };
    return this.#isNoChance(group, counts);
  }

  /** How many nodes of a group have the trouble, and of how many it is known. */
  within(group: number, mask: number, ways: Ways): Seen {
    let [failing, of] = [0, 0];
    for (const node of this.#group(group).members) {
      const { bad, probed } = countsAt(this.#tally, node, mask, ways);
      if (bad + probed < leastKnown) continue;
      of++;
      if (bad / (bad + probed) >= this.#least) failing++;
    }
    return { failing, of };
  }

  /** How many of the other nodes have the trouble too, and of how many it is known. Paths to the group do not count. */
  beside(group: number, mask: number, ways: Ways): Seen {
    const { has } = this.#group(group);
    const { index, bad, observations } = this.#tally;
    const { from, to } = observations.entries;
    const fails = new Float64Array(index.size);
    for (const entry of this.#tally.badEntries) {
      const [a, b] = [from[entry] ?? 0, to[entry] ?? 0];
      if (((bad[entry] ?? 0) & mask) === 0 || has[a] === 1 || has[b] === 1) continue;
      const paths = sizeOf((bad[entry] ?? 0) & mask);
      if (ways !== 'out') fails[b] = (fails[b] ?? 0) + paths;
      if (ways !== 'in') fails[a] = (fails[a] ?? 0) + paths;
    }
    let [failing, of] = [0, 0];
    for (let node = 0; node < index.size; node++) {
      if (has[node] === 1) continue;
      const own = fails[node] ?? 0;
      const outside = own + countsAt(this.#tally, node, mask, ways).probed;
      if (outside < leastKnown) continue;
      of++;
      if (own >= this.#least * outside) failing++;
    }
    return { failing, of };
  }

  /** 1: a node has the trouble; 0: it has not; 2: its own row would have to say so, and there is none. */
  #stateOf(node: number): 0 | 1 | 2 {
    if (this.#tally.hasShare(node, this.#least)) return 1;
    return this.#tally.observations.observerOf[node] === -1 ? 2 : 0;
  }

  /** Whether chance does not make so many nodes with the trouble share one value, of all groups that could. */
  #isNoChance(group: number, counts: Parameters<typeof lnChanceOfGroup>[0]): boolean {
    const like = countLike(group, this.#tally.index);
    return lnChanceOfGroup(counts) + Math.log(like) <= mostChance;
  }

  #group(group: number): LabelGroup {
    return this.#tally.index.groups[group] ?? noGroup;
  }
}

/** Whether so many of all nodes of a group are enough to speak of it. */
function isMost(known: number, all: number): boolean {
  return known >= 2 && known >= leastKnownMembers * all;
}
