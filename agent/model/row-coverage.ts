import { channels, channelNumber } from './channel.js';
import { nameHash } from './name-hash.js';
import type { Row, RowList } from './row.js';

/** Names are put into this many groups by their hash, a power of two. Each group has a digest of its own. */
export const listGroups = 16;

/** The group of a node in a list's digests, by the hash of its name. */
export function listGroupOf(hash: number): number {
  // The remainder by a power of two. Hashes are mostly too large for whole-number arithmetic, which `%` would cost.
  return hash & (listGroups - 1);
}

/**
 * Sums up which active nodes an agent's list has. Two agents compare the digests to learn which
 * groups of nodes they both know in full.
 * @param hashes the hashes of the names of all active nodes
 */
export function listOf(hashes: Iterable<number>): RowList {
  const digests = new Uint32Array(listGroups);
  let nodes = 0;
  for (const hash of hashes) {
    const group = listGroupOf(hash);
    digests[group] = (digests[group] ?? 0) + mix(hash);
    nodes++;
  }
  return { nodes, digests: [...digests] };
}

/** The finalizer of MurmurHash3: sums of its results do not cancel out for names that are alike. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Which nodes a row tells of, where it does not name them. What it names, it tells of. */
export interface RowCoverage {
  /**
   * For each channel, the highest name hash up to which the row is complete: Infinity if nothing
   * was left out, -1 if the observer has no results there.
   */
  readonly horizons: readonly number[];
  /** The groups of nodes that the observer's list has as the reader's does, one bit each. */
  readonly groups: number;
}

/** All groups of a list, one bit each. */
export const allListGroups = 2 ** listGroups - 1;

/**
 * Which nodes a row tells of. It says nothing of nodes that it had no room for, nor of nodes that
 * may be missing in its observer's list.
 * @param own the reader's list. A row without a list comes from an older agent and is believed.
 */
export function coverageOf(row: Row, own: RowList): RowCoverage {
  return { horizons: horizonsOf(row), groups: commonGroups(row.list, own) };
}

/** Whether a row tells of a node that it does not name, by the hash of its name and the channel's number. */
export function isCovered(
  { horizons, groups }: RowCoverage,
  hash: number,
  channel: number,
): boolean {
  return (horizons[channel] ?? -1) >= hash && ((groups >> listGroupOf(hash)) & 1) === 1;
}

/** Those of some channels, as a mask, on which a row tells of a node that it does not name. */
export function coveredChannels(
  { horizons, groups }: RowCoverage,
  hash: number,
  mask: number,
): number {
  if (((groups >> listGroupOf(hash)) & 1) === 0) return 0;
  let covered = mask;
  for (let channel = 0; mask >> channel !== 0; channel++) {
    if ((horizons[channel] ?? -1) < hash) covered &= ~(1 << channel);
  }
  return covered;
}

function commonGroups(list: RowList | undefined, own: RowList): number {
  if (!list) return allListGroups;
  let groups = 0;
  for (let group = 0; group < listGroups; group++) {
    if (list.digests[group] === own.digests[group]) groups |= 1 << group;
  }
  return groups;
}

/**
 * Up to which hash a row tells of nodes that do not answer, by channel as in `RowCoverage`: to all where it names all of them,
 * however many that lose packets it leaves out.
 */
export function failingHorizonsOf(row: Row, horizons: readonly number[]): readonly number[] {
  const named = [0, 0, 0, 0];
  for (const { plane, protocol, state } of row.paths) {
    const channel = channelNumber(plane, protocol);
    if (state === 'unreachable' || state === 'unknown') named[channel] = (named[channel] ?? 0) + 1;
  }
  return channels.map(({ plane, protocol }, channel) => {
    const { unreachable, unknown } = row.counts[plane][protocol];
    const horizon = horizons[channel] ?? -1;
    return horizon >= 0 && (named[channel] ?? 0) >= unreachable + unknown ? Infinity : horizon;
  });
}

/**
 * A channel is complete if the row names all its paths that are not well, whatever else was left
 * out. Of the others the row names the nodes with the lowest hashes, beside those that it names
 * because of a complete channel, by their zone, or as they do not answer.
 */
function horizonsOf(row: Row): number[] {
  const { counts, health, omittedNodes, namedByZone } = row;
  const hasResults = channels.map(({ plane, protocol }) => {
    const { reachable, unreachable } = counts[plane][protocol];
    return !health.notSending.includes(protocol) && reachable + unreachable > 0;
  });
  if (omittedNodes === 0) return hasResults.map((has) => (has ? Infinity : -1));
  const named = [0, 0, 0, 0];
  for (const { plane, protocol } of row.paths) {
    const channel = channelNumber(plane, protocol);
    named[channel] = (named[channel] ?? 0) + 1;
  }
  let complete = 0;
  channels.forEach(({ plane, protocol }, channel) => {
    const { unreachable, unknown, degraded } = counts[plane][protocol];
    if ((named[channel] ?? 0) >= unreachable + unknown + degraded) complete |= 1 << channel;
  });
  const highest = Math.max(highestHash(row.paths, complete, namedByZone), 0);
  return hasResults.map((has, channel) =>
    has ? ((complete >> channel) & 1 ? Infinity : highest) : -1,
  );
}

/** The highest name hash of the nodes that a row names neither on a complete channel nor by their zone; -1 if there is none. */
function highestHash(
  paths: Row['paths'],
  complete: number,
  namedByZone: Row['namedByZone'],
): number {
  const beside = new Set<string>(namedByZone);
  if (complete !== 0) {
    for (const { node, plane, protocol } of paths) {
      if ((complete >> channelNumber(plane, protocol)) & 1) beside.add(node);
    }
  }
  let [highest, last] = [-1, ''];
  for (const { node } of paths) {
    // A row mostly keeps the paths of a node together.
    if (node === last) continue;
    last = node;
    if (!beside.has(node)) highest = Math.max(highest, nameHash(node));
  }
  return highest;
}
