import { channelNumber } from '../../model/channel.js';
import type { RowCoverage } from '../../model/row-coverage.js';
import type { Row } from '../../model/row.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';

/** The work between two yields, in paths. */
export const pathsInSlice = 500;

/** How the paths of one row are read. */
export interface Reading {
  readonly node: number;
  readonly coverage: RowCoverage;
  readonly bodyAgeMs: number;
  /** The first entry of this observer. */
  readonly first: number;
  readonly entries: EntryList;
  readonly entryAt: Int32Array;
  /** The node that has just started again, and when; -1 for none. */
  readonly restarted: number;
  readonly uptimeMs: number;
  /** No other agent was ever heard, so a refused connection only says that there is none yet. */
  readonly isFirst: boolean;
}

/** How many failing paths a row counts, by channel. */
export function failingCounts({ counts: { host, endpoint } }: Row): number[] {
  return [host.icmp, host.http, endpoint.icmp, endpoint.http].map((count) => count.unreachable);
}

/** How many of them it does not name, where it leaves nodes out. */
export function leftOut({ omittedNodes }: Row, unnamed: readonly number[]): readonly number[] {
  return omittedNodes === 0 ? noneLeftOut : unnamed.map((count) => Math.max(count, 0));
}

const noneLeftOut = [0, 0, 0, 0];

/**
 * Adds a slice of a row's paths.
 * @param at the first path of the slice
 * @param unnamed by channel, how many failing paths the row counts; those that it names are subtracted
 */
export function readPaths(
  index: ClusterIndex,
  paths: Row['paths'],
  at: number,
  reading: Reading,
  unnamed: number[],
): void {
  const { node, coverage, bodyAgeMs, first, entries, entryAt } = reading;
  const { restarted, uptimeMs, isFirst } = reading;
  const looks = coverage.horizons.reduce((mask, to, channel) => mask | (+(to >= 0) << channel), 0);
  const bodyAgeS = bodyAgeMs / 1000;
  let lastName: string | undefined;
  let target: number | undefined;
  let entry = -1;
  const end = Math.min(at + pathsInSlice, paths.length);
  for (let next = at; next < end; next++) {
    const path = paths[next] as Row['paths'][number];
    const channel = channelNumber(path.plane, path.protocol);
    if (path.state === 'unreachable') unnamed[channel] = (unnamed[channel] ?? 0) - 1;
    if (path.node !== lastName) {
      lastName = path.node;
      target = index.numberOf.get(path.node);
      if (target !== undefined) {
        entry = entryAt[target] ?? -1;
        if (target !== node && entry < first) entryAt[target] = entry = entries.add(node, target);
      }
    }
    if (target === undefined || target === node) continue;
    if (((((index.masks[target] ?? 0) & looks) >> channel) & 1) === 0) continue;
    const isFromBefore =
      target === restarted && 1000 * path.ageSeconds + bodyAgeMs > uptimeMs - restartSlackMs;
    const isNoAgent = isFirst && path.failure === 'refused';
    const isUnknown = path.state === 'unreachable' && (isFromBefore || isNoAgent);
    const said = isUnknown ? asUnknown(path) : path;
    entries.note(entry, channel, said, bodyAgeS);
  }
}

/** An agent answers a little later than its process starts. */
const restartSlackMs = 1000;

function asUnknown({ node, plane, protocol, ageSeconds }: Row['paths'][number]) {
  return { node, plane, protocol, ageSeconds, state: 'unknown' } as const;
}
