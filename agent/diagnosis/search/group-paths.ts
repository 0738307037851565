import type { Ways } from '../nouns/cause.js';
import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import {
  addUp,
  allMask,
  channelsIn,
  countChannels,
  difference,
  icmpMask,
  sizeOf,
  sumOn,
} from '../nouns/channel-mask.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import { sideBy, without, type Seen, type Side } from '../nouns/sight.js';
import { joinEntries } from '../evidence/order-entries.js';
import { countsAt } from '../evidence/path-counts.js';
import { sumOfSides } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import type { Explanation } from './explanation.js';
import type { OpenSide, SubjectPart, SubjectPaths } from './subject-paths.js';
import { leastDegradedShare, lnChanceOfGroup, mostChance } from './prior.js';
import { pathWeights } from './weights.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { workedMeanwhile } from './explained-paths.js';

/** Of broken paths and large packets: a node has the trouble if so large a share of its known paths has it. */
const leastNodeShare = 0.5;

/** A group of this part of such a share of the nodes is so large that the others have trouble with it as single nodes have. */
const largeShare = 0.7;

/** Of most nodes of a group it must be known that they have its trouble. */
const leastKnownMembers = 2 / 3;

/** The paths of groups of nodes: all that lead to or from a node of theirs. */
export class GroupPaths {
  readonly #tally: Tally;
  readonly #explanation: Explanation;
  /** The least share of a node that has the trouble. */
  readonly #least: number;
  readonly #entries = new Map<number, Record<'into' | 'outOf' | 'within', Int32Array>>();
  readonly #sides = new Map<number, Record<'to' | 'from' | 'inside', Side>>();
  #badPaths: number | undefined;

  constructor(tally: Tally, explanation: Explanation) {
    this.#tally = tally;
    this.#explanation = explanation;
    this.#least = pathWeights[tally.trouble].hasUsualShare ? leastDegradedShare : leastNodeShare;
  }

  /** How many groups like this one there are, so how many may have a trouble in common by chance: with a pair all are. */
  #countLike(group: number): number {
    const { groups, singles } = this.#tally.index;
    return group < singles ? singles : groups.length;
  }

  /** The groups of which all nodes that are known have the trouble, and so few of the others that it is no chance. It yields after each. */
  *candidates(): Generator<undefined, readonly number[]> {
    const { size, groups } = this.#tally.index;
    if (groups.length === 0) return [];
    const states = new Uint8Array(size);
    let all = 0;
    for (let node = 0; node < size; node++) {
      const state = this.#stateOf(node);
      states[node] = state;
      if (state === 1) all++;
    }
    const found: number[] = [];
    for (const [number, { members }] of groups.entries()) {
      if (number % groupsPerStep === 0) yield;
      if (members.some((node) => states[node] === 0)) continue;
      const failing = members.reduce((sum, node) => sum + (states[node] === 1 ? 1 : 0), 0);
      if (!isMost(failing, members.length)) continue;
      const least = Math.log(this.#countLike(number)) - mostChance;
      const chance = (others: number) => lnChanceOfGroup({ nodes: size, members: failing, others });
      if (chance(all - failing) <= -least || this.#explainsOthers(number, chance, least))
        found.push(number);
      yield;
    }
    return found;
  }

  /**
   * Whether so few of the others have the trouble without their paths to the group that it is no chance. The others have
   * trouble with a large group, and with a smaller one where little else is known, though not with each other.
   */
  #explainsOthers(group: number, chance: (others: number) => number, least: number): boolean {
    const { members } = this.#group(group);
    const isLarge = members.length > largeShare * this.#least * this.#tally.index.size;
    if (chance(0) > -least || (!isLarge && !this.#hasMost(group))) return false;
    return chance(this.beside(group, 0b1111, 'both').failing) <= -least;
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

  /** The paths to the nodes of a group and from them, those within it in both. */
  sides(group: number): { readonly to: OpenSide; readonly from: OpenSide } {
    const { to, from } = this.#countSides(group);
    const { members } = this.#group(group);
    const explanation = this.#explanation;
    return {
      to: { ...to, open: addUp(members.map((node) => explanation.openTo(node))) },
      from: { ...from, open: addUp(members.map((node) => explanation.openFrom(node))) },
    };
  }

  /**
   * All that decides on a cause of a group. Each path is in one of the two directions: those within it count as paths to it,
   * or as paths from it.
   */
  paths(
    group: number,
    within: 'to' | 'from',
  ): SubjectPart & Pick<SubjectPaths, 'answering' | 'answered' | 'workedMeanwhile'> {
    const { to, from, inside } = this.#countSides(group);
    const openInside = this.#explanation.openOf(this.#entriesOf(group).within);
    const whole = this.sides(group);
    const rest = (side: Side, all: ArrayLike<number>) => ({
      ...without(side, inside),
      open: difference(all, openInside),
    });
    return {
      subjects: this.#countLike(group),
      ...this.#answers(group),
      workedMeanwhile: (mask, ways, onsetS) =>
        workedMeanwhile(this.#tally, this.#explanation, this.entriesOf(group, ways), mask, onsetS),
      ...(within === 'to'
        ? { to: whole.to, from: rest(from, whole.from.open) }
        : { to: rest(to, whole.to.open), from: whole.from }),
    };
  }

  entriesOf(group: number, ways: Ways): Int32Array {
    const { into, outOf, within } = this.#entriesOf(group);
    if (ways === 'in') return into;
    return joinEntries([ways === 'both' ? into : within, outOf]);
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
    const nodes = of + others.of;
    const chance = lnChanceOfGroup({ nodes, members: of, others: others.failing });
    return chance + Math.log(this.#countLike(group)) <= mostChance;
  }

  /** Whether the nodes of a group reach each other, by the paths of which it is known since. */
  reachesItself(group: number, mask: number): boolean {
    const { bad, well } = this.#countSides(group).inside;
    const [fails, works] = [sumOn(mask, bad), sumOn(mask, well)];
    return works >= 1 && works > leastInside * (works + fails);
  }

  /** Whether a group is a zone, and no path within it fails: then zones are cut. Only of servers its own nodes may all be silent. */
  isCutZone(group: number, mask: number): boolean {
    const { label, and } = this.#group(group);
    if (!isZoneLabel(label) || and || (mask & icmpMask) === 0) return false;
    const { bad } = this.#countSides(group).inside;
    return channelsIn(mask).every((channel) => bad[channel] === 0);
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

  /** The channels on which most failing paths to each node, or of each, are answers. */
  #answers(group: number): { readonly answering: number; readonly answered: number } {
    let [answering, answered] = [0b1111, 0b1111];
    for (const node of this.#group(group).members) {
      answering &= this.#tally.to.answersOf(node);
      answered &= this.#tally.from.answersOf(node);
    }
    return { answering, answered };
  }

  #group(group: number): LabelGroup {
    return this.#tally.index.groups[group] ?? noGroup;
  }

  /** 1: a node has the trouble; 0: it has not; 2: its own row would have to say so, and there is none. */
  #stateOf(node: number): 0 | 1 | 2 {
    if (this.#tally.hasShare(node, this.#least)) return 1;
    return this.#tally.observations.observerOf[node] === -1 ? 2 : 0;
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

  /** What is counted of the paths to a group, and from it; those inside are in both. */
  #countSides(group: number) {
    return getOrInsert(this.#sides, group, () => {
      const { members } = this.#group(group);
      const to = sumOfSides(members.map((node) => this.#tally.toNode(node)));
      const from = sumOfSides(members.map((node) => this.#tally.fromNode(node)));
      return { to, from, inside: this.#countInside(group, from) };
    });
  }

  /** The paths within a group. How many of those that work were looked at is taken from what its nodes say of all of theirs. */
  #countInside(group: number, from: Side): Side {
    const { members } = this.#group(group);
    const { bad, index, observations } = this.#tally;
    const fails = countChannels(this.#entriesOf(group).within, (entry) => bad[entry] ?? 0);
    const observing = members.filter((node) => observations.observerOf[node] !== -1).length;
    const paths = (observing * (members.length - 1)) / Math.max(observing * (index.size - 1), 1);
    const shareOf = (counts: ArrayLike<number>) =>
      fails.map((failing, channel) => {
        const known = (from.bad[channel] ?? 0) + (counts[channel] ?? 0);
        return Math.min(Math.max(paths * known - failing, 0), counts[channel] ?? 0);
      });
    return sideBy((what) => (what === 'bad' ? fails : shareOf(from[what])));
  }

  /** The entries of a group: of paths into it, of those out of it to the others, and those of the first that are within it. */
  #entriesOf(group: number) {
    return getOrInsert(this.#entries, group, () => {
      const { members, has } = this.#group(group);
      const { from, to } = this.#tally.observations.entries;
      const [all, outOf]: [number[], number[]] = [[], []];
      for (const node of members) {
        for (const entry of this.#tally.entriesTo(node)) all.push(entry);
        const [first, end] = this.#tally.rangeFrom(node);
        for (let entry = first; entry < end; entry++) {
          if (has[to[entry] ?? 0] !== 1) outOf.push(entry);
        }
      }
      const into = Int32Array.from(all);
      const within = into.filter((entry) => has[from[entry] ?? 0] === 1);
      return { into, outOf: Int32Array.from(outOf), within };
    });
  }
}

/** The nodes of a group reach each other if so large a share of the paths between them works. */
const leastInside = 0.9;

/** Fewer paths than this are none: old rows count as parts of one. */
const leastKnown = 0.05;

/** Whether so many of all nodes of a group are enough to speak of it. */
function isMost(known: number, all: number): boolean {
  return known >= 2 && known >= leastKnownMembers * all;
}

/** Most groups have a node that is well, so they take less than a microsecond. */
const groupsPerStep = 500;
