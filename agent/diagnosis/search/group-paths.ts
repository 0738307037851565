import type { Ways } from '../nouns/cause.js';
import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import {
  addUp,
  allMask,
  channelsIn,
  countChannels,
  difference,
  icmpMask,
  sumOn,
} from '../nouns/channel-mask.js';
import { noGroup } from '../nouns/node-groups.js';
import { sideBy, without, type Side } from '../nouns/sight.js';
import { joinEntries } from '../evidence/order-entries.js';
import { sumOfSides } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import type { Explanation } from './explanation.js';
import type { OpenSide } from './subject-paths.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { countLike } from './group-nodes.js';

/** The paths of groups of nodes: all that lead to or from a node of theirs. */
export class GroupPaths {
  readonly #tally: Tally;
  readonly #explanation: Explanation;
  readonly #groups = new Map<number, ReturnType<typeof countGroup>>();

  constructor(tally: Tally, explanation: Explanation) {
    this.#tally = tally;
    this.#explanation = explanation;
  }

  /** The paths to the nodes of a group and from them, those within it in both. */
  sides(group: number): { readonly to: OpenSide; readonly from: OpenSide } {
    const { members, to, from } = this.#of(group);
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
  paths(group: number, within: 'to' | 'from') {
    const { inside, within: entries, answering, answered } = this.#of(group);
    const openInside = this.#explanation.openOf(entries);
    const { to, from } = this.sides(group);
    const rest = (side: OpenSide): OpenSide => ({
      ...without(side, inside),
      open: difference(side.open, openInside),
    });
    return {
      subjects: countLike(group, this.#tally.index),
      answering,
      answered,
      ...(within === 'to' ? { to, from: rest(from) } : { to: rest(to), from }),
    };
  }

  entriesOf(group: number, ways: Ways): Int32Array {
    const { into, outOf, within } = this.#of(group);
    if (ways === 'in') return into;
    return joinEntries([ways === 'both' ? into : within, outOf]);
  }

  /** Whether the nodes of a group reach each other, by the paths of which it is known since. */
  reachesItself(group: number, mask: number): boolean {
    const { bad, well } = this.#of(group).inside;
    const [fails, works] = [sumOn(mask, bad), sumOn(mask, well)];
    return works >= 1 && works > leastInside * (works + fails);
  }

  /** Whether a group is a zone, and no path within it fails: then zones are cut. Only of servers its own nodes may all be silent. */
  isCutZone(group: number, mask: number): boolean {
    const { label, and } = this.#tally.index.groups[group] ?? noGroup;
    if (!isZoneLabel(label) || and || (mask & icmpMask) === 0) return false;
    const { bad } = this.#of(group).inside;
    return channelsIn(mask).every((channel) => bad[channel] === 0);
  }

  #of(group: number) {
    return getOrInsert(this.#groups, group, () => countGroup(this.#tally, group));
  }
}

/** The nodes of a group reach each other if so large a share of the paths between them works. */
const leastInside = 0.9;

/**
 * What does not change with the explanation. Its entries are of paths into it, of those out of it to the others, and those of
 * the first that are within it. Its sides are the paths to it and from it, those inside in both, and these alone.
 */
function countGroup(tally: Tally, group: number) {
  const { index, observations } = tally;
  const { members, has } = index.groups[group] ?? noGroup;
  const { from: source, to: target } = observations.entries;
  const entriesOf = (ways: Ways) => joinEntries(members.map((node) => tally.entriesOf(node, ways)));
  const into = entriesOf('in');
  const within = into.filter((entry) => has[source[entry] ?? 0] === 1);
  const outOf = entriesOf('out').filter((entry) => has[target[entry] ?? 0] !== 1);
  /** The channels on which most failing paths to each node, or of each, are answers. */
  const answersIn = (counts: Tally['to']) =>
    members.reduce((mask, node) => mask & counts.answersOf(node), allMask);
  const [answering, answered] = [answersIn(tally.to), answersIn(tally.from)];
  const to = sumOfSides(members.map((node) => tally.toNode(node)));
  const from = sumOfSides(members.map((node) => tally.fromNode(node)));
  const inside = countInside(tally, members, within, from);
  return { members, into, outOf, within, to, from, inside, answering, answered };
}

/** The paths within a group. How many of those that work were looked at is taken from what its nodes say of all of theirs. */
function countInside(
  tally: Tally,
  members: readonly number[],
  within: Int32Array,
  from: Side,
): Side {
  const { bad, index, observations } = tally;
  const fails = countChannels(within, (entry) => bad[entry] ?? 0);
  const observing = members.filter((node) => observations.observerOf[node] !== -1).length;
  const paths = (observing * (members.length - 1)) / Math.max(observing * (index.size - 1), 1);
  const shareOf = (counts: ArrayLike<number>) =>
    fails.map((failing, channel) => {
      const known = (from.bad[channel] ?? 0) + (counts[channel] ?? 0);
      return Math.min(Math.max(paths * known - failing, 0), counts[channel] ?? 0);
    });
  return sideBy((what) => (what === 'bad' ? fails : shareOf(from[what])));
}
