import type { RowFlows } from '../../model/row.js';
import type { Ways } from './cause.js';
import { difference } from './channel-mask.js';

/** How many see something, and how many look. */
export interface Seen {
  readonly failing: number;
  readonly of: number;
}

/** The observers that see a cause, and those that look where it is. */
export interface SeenBy extends Seen {
  /** How many report its paths, whenever they probed them. `of` is those who have probed them since it began. */
  readonly reporting: number;
}

/** For each channel of the paths in one direction: how many have the trouble, and how many do not. */
export interface Side {
  readonly bad: ArrayLike<number>;
  /** Paths that are known to be well, by how much that contradicts that they fail. */
  readonly well: ArrayLike<number>;
  /** How many of them were probed since the trouble began. */
  readonly probed: ArrayLike<number>;
  /** All paths that rows report, however old these are. */
  readonly reported: ArrayLike<number>;
}

/** A side by what is counted of it, for each of its lists. */
export function sideBy(count: (what: keyof Side) => ArrayLike<number>): Side {
  return {
    bad: count('bad'),
    well: count('well'),
    probed: count('probed'),
    reported: count('reported'),
  };
}

/** What is left of a side without a part of it. */
export function without(side: Side, part: Side): Side {
  return sideBy((what) => difference(side[what], part[what]));
}

/** Nothing on any channel. */
const none = [0, 0, 0, 0];
/** A direction without paths. */
export const noPaths: Side = { bad: none, well: none, probed: none, reported: none };

/** Which way the lost packets went, and whether both ends say so. */
export interface PacketWays {
  /** Relative to the subject: `in` is to the node or the one zone, or from the first of two to the other. */
  readonly ways: Ways;
  readonly isReportedByBoth: boolean;
}

/** Flows that never pass beside others that do, of all paths of a cause on which they were counted. */
export interface CauseFlows extends RowFlows {
  readonly paths: number;
}
