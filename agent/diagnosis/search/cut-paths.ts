import type { Ways } from '../nouns/cause.js';
import { addUp, channelsIn, difference, maskOf } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { NodeGroup } from '../nouns/node-groups.js';
import type { Side } from '../nouns/sight.js';
import { finished } from '../nouns/steps.js';
import { bothGroups, sidesOf, type Cut } from '../nouns/subject.js';
import { isAnyTogether } from '../evidence/begin.js';
import type { Begins } from '../evidence/begin-times.js';
import { failEvenly } from '../evidence/even-probes.js';
import {
  answersAmong,
  entriesOf,
  sumsOf,
  type GroupPair,
  type GroupPairs,
} from '../evidence/group-pairs.js';
import { testedSide } from '../evidence/large-packets.js';
import { observerAt, type Observer } from '../evidence/observations.js';
import { hasShare } from '../evidence/path-counts.js';
import { badIn, beginsOf, sideOf, sumOfSides } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import { isLone } from './cut-apart.js';
import { leastOpen, type Explanation } from './explanation.js';
import type { OpenSide, SubjectPaths } from './subject-paths.js';

/** Two zones with fewer failures on each channel are judged by the beginning of the others. */
const leastOwn = 3;
/** So many rows of a group mostly say enough to see that few of its paths fail. */
const mostAsked = 64;

/** The paths in one direction, without what is open of them, and the pairs of groups that they are between. */
interface CutSide {
  readonly side: Side;
  readonly pairs: readonly GroupPair[];
}

/** What does not change with the explanation. Of two groups `to` leads from the first to the other; of one it leads into it. */
type CutSides = Pick<SubjectPaths, 'loneIn' | 'answering' | 'answered'> &
  Record<'to' | 'from', CutSide>;

/** A direction between two groups, from the first to the other one. */
type Way = Cut & { readonly other: number };

/** The paths between two zones, between two other groups, and between a zone and all others. */
export class CutPaths {
  readonly #tally: Tally;
  readonly #pairs: GroupPairs;
  readonly #explanation: Explanation;
  readonly #sides = new Map<number, CutSides>();
  readonly #between = new Map<number, Side>();
  readonly #observers = new Map<NodeGroup, readonly Observer[]>();

  constructor(tally: Tally, pairs: GroupPairs, explanation: Explanation) {
    this.#tally = tally;
    this.#pairs = pairs;
    this.#explanation = explanation;
  }

  /**
   * Whether so large a share of the known paths in one direction may fail on some channel. Mostly the first rows say already that too
   * many work, and in a large cluster it takes milliseconds to ask all of them.
   */
  mayHaveShare(cut: Cut, least: number): boolean {
    const into = this.#waysInto(cut);
    return [into, into.map(turned)].some((ways) => {
      const sums = sumsOf(this.#pairsIn(ways));
      const bad = badIn(sums);
      if (maskOf(bad) === 0) return false;
      const reported = addUp(ways.map((way) => this.#reportedByFew(way, ways)));
      // At most all paths that are not well are among those that were counted.
      const works = difference(reported, addUp(sums.map((one) => one.allNotWell())));
      return hasShare(bad, works, least);
    });
  }

  /** How many paths in one of some directions were probed since these began to fail, as the first rows tell, with those that are not well. */
  #reportedByFew(way: Way, ways: readonly Way[]): ArrayLike<number> {
    const begins = this.#beginsOf(this.#mayBeginAlone(way) ? [way] : ways);
    const { inner, outer } = sidesOf(way, this.#tally.index);
    const few = this.#observersIn(outer.group).slice(0, mostAsked);
    return finished(sideOf(this.#tally, [], begins, few, inner)).probed;
  }

  /** Counts the paths of a cut before it is asked for them: in a large cluster that takes some milliseconds in each direction. */
  *count(cut: Cut): Generator<void> {
    for (const way of this.#waysInto(cut)) {
      for (const one of [way, turned(way)]) {
        this.#countOwn(one);
        yield;
      }
    }
  }

  of(cut: Cut) {
    const { to, from, ...rest } = this.#sidesOf(cut);
    return { ...rest, to: this.#opened(to), from: this.#opened(from) };
  }

  entriesOf(cut: Cut, ways: Ways): Int32Array {
    const { to, from } = this.#sidesOf(cut);
    return entriesOf([...(ways === 'out' ? [] : to.pairs), ...(ways === 'in' ? [] : from.pairs)]);
  }

  /** Whether the paths fail as evenly as probes come round, in a direction of a cause (`failEvenly`). */
  isEven(cut: Cut, ways: Ways, mask: number, share: number): boolean {
    const { to, from } = this.#sidesOf(cut);
    const fail = (way: 'in' | 'out', { pairs }: CutSide) =>
      failEvenly(this.#tally, cut, way, pairs, mask, share);
    return (ways !== 'out' && fail('in', to)) || (ways !== 'in' && fail('out', from));
  }

  /**
   * Whether what nothing explains yet between a zone and all others began with two of these within a time, or with one alone:
   * where it began with each at another time, it is as many causes.
   */
  beganTogether(cut: Cut, mask: number, onsetS: number): boolean {
    const begins = this.#waysInto(cut).flatMap((way) => {
      const both = [way, turned(way)];
      const open = addUp(this.#pairsIn(both).map((pair) => this.#openOf(pair)));
      const channels = channelsIn(mask).filter((channel) => (open[channel] ?? 0) > leastOpen);
      const begins = this.#beginsOf(both);
      return channels.length === 0
        ? []
        : [Math.max(...channels.map((channel) => begins[channel] ?? 0))];
    });
    return begins.length < 2 || isAnyTogether(begins, onsetS);
  }

  #sidesOf(cut: Cut): CutSides {
    return getOrInsert(this.#sides, this.#key(cut), () => {
      const into = this.#waysInto(cut);
      const [to, from] = [this.#count(into), this.#count(into.map(turned))];
      const answersOf = ({ pairs }: CutSide) => answersAmong(sumsOf(pairs));
      return {
        to,
        from,
        loneIn: this.loneIn(cut),
        answering: answersOf(to),
        answered: answersOf(from),
      };
    });
  }

  /** How many nodes there are, where fewer than two on one side are affected. */
  loneIn(cut: Cut): number | undefined {
    const { index } = this.#tally;
    const into = this.#waysInto(cut);
    const entries = entriesOf(this.#pairsIn([...into, ...into.map(turned)]));
    const [{ has }] = bothGroups(cut, index);
    return isLone(this.#tally, entries, (node) => has[node] === 1) ? index.size : undefined;
  }

  #key({ type, group, other = group }: Cut): number {
    const { zones, groups } = this.#tally.index;
    const first = type === 'zones' ? 0 : zones.length;
    return (first + group) * (zones.length + groups.length) + first + other;
  }

  #waysInto({ type, group, other }: Cut): readonly Way[] {
    if (other !== undefined) return [{ type, group, other }];
    const others = [...this.#tally.index[type].keys()].filter((one) => one !== group);
    return others.map((one) => ({ type, group: one, other: group }));
  }

  #pairsIn(ways: readonly Way[]): GroupPair[] {
    return ways.flatMap((way) => this.#pairs.between(way) ?? []);
  }

  /**
   * The paths in some directions: the sum of those in each. So against one cause and against several that cover the same paths
   * there is the same evidence, however it is chosen when these began to fail.
   */
  #count(ways: readonly Way[]): CutSide {
    let begins: Begins | undefined;
    const sides = ways.map(
      (way) => this.#countOwn(way) ?? this.#countWay(way, (begins ??= this.#beginsOf(ways))),
    );
    const pairs = this.#pairsIn(ways).sort((a, b) => a.number - b.number);
    return { side: sumOfSides(sides), pairs };
  }

  /** The paths in one direction; undefined if too few of them fail to tell when that began. */
  #countOwn(way: Way): Side | undefined {
    if (!this.#mayBeginAlone(way)) return undefined;
    const count = () => this.#countWay(way, this.#beginsOf([way]));
    return getOrInsert(this.#between, this.#key(way), count);
  }

  #mayBeginAlone(way: Way): boolean {
    return Math.max(...badIn(sumsOf(this.#pairsIn([way])))) >= leastOwn;
  }

  #beginsOf(ways: readonly Way[]): Begins {
    const back = () => sumsOf(this.#pairsIn(ways.map(turned)));
    return beginsOf(this.#tally, sumsOf(this.#pairsIn(ways)), back);
  }

  /** The paths from the observers of one group to the nodes of another one. */
  #countWay(way: Way, begins: Begins): Side {
    const { index, observations, trouble } = this.#tally;
    const pairs = this.#pairsIn([way]);
    const sums = sumsOf(pairs);
    if (trouble === 'mtu') return testedSide(badIn(sums), observations.entries, entriesOf(pairs));
    const { inner, outer } = sidesOf(way, index);
    return finished(sideOf(this.#tally, sums, begins, this.#observersIn(outer.group), inner));
  }

  #observersIn(group: NodeGroup): readonly Observer[] {
    return getOrInsert(this.#observers, group, () =>
      group.members.flatMap((node) => observerAt(this.#tally.observations, node) ?? []),
    );
  }

  #opened({ side, pairs }: CutSide): OpenSide {
    return { ...side, open: addUp(pairs.map((pair) => this.#openOf(pair))) };
  }

  #openOf({ number, entries }: GroupPair) {
    return number === -1 ? this.#explanation.openOf(entries) : this.#explanation.openIn(number);
  }
}

function turned({ type, group, other }: Way): Way {
  return { type, group: other, other: group };
}
