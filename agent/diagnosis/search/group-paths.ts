import type { Ways } from '../nouns/cause.js';
import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import {
  addUp,
  channelsIn,
  countChannels,
  difference,
  icmpMask,
  sumOn,
} from '../nouns/channel-mask.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import { sideBy, without, type Side } from '../nouns/sight.js';
import { joinEntries } from '../evidence/order-entries.js';
import { sumOfSides } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import type { Explanation } from './explanation.js';
import type { OpenSide, SubjectPart, SubjectPaths } from './subject-paths.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { countLike } from './group-nodes.js';

/** The paths of groups of nodes: all that lead to or from a node of theirs. */
export class GroupPaths {
  readonly #tally: Tally;
  readonly #explanation: Explanation;
  readonly #entries = new Map<number, Record<'into' | 'outOf' | 'within', Int32Array>>();
  readonly #sides = new Map<number, Record<'to' | 'from' | 'inside', Side>>();

  constructor(tally: Tally, explanation: Explanation) {
    this.#tally = tally;
    this.#explanation = explanation;
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
  ): SubjectPart & Pick<SubjectPaths, 'answering' | 'answered'> {
    const { inside } = this.#countSides(group);
    const openInside = this.#explanation.openOf(this.#entriesOf(group).within);
    const { to, from } = this.sides(group);
    const rest = (side: OpenSide): OpenSide => ({
      ...without(side, inside),
      open: difference(side.open, openInside),
    });
    return {
      subjects: countLike(group, this.#tally.index),
      ...this.#answers(group),
      ...(within === 'to' ? { to, from: rest(from) } : { to: rest(to), from }),
    };
  }

  entriesOf(group: number, ways: Ways): Int32Array {
    const { into, outOf, within } = this.#entriesOf(group);
    if (ways === 'in') return into;
    return joinEntries([ways === 'both' ? into : within, outOf]);
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
