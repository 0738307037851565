import { freshForMs, type Row } from '../../model/row.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { readCoverage, type Coverage } from './coverage.js';
import type { EntryList } from './entry-list.js';
import { addPacked, packEntries, type PackedEntries } from './packed-entries.js';
import { failingCounts, leftOut, pathsInSlice, readPaths } from './read-paths.js';
import { unansweredS } from './unanswered.js';

/** What a row says beside its paths, by the numbers of an index. */
export interface ReadRow {
  readonly coverage: Coverage;
  readonly omitted: readonly number[];
  /** The nodes that its observer hears. */
  readonly heard: readonly number[];
  readonly large: Row['large'];
  readonly families: Row['families'];
  readonly refutation: Row['refutation'];
  /** By channel, for how many seconds none of many probes had been answered when it was written; undefined where some were. */
  readonly unansweredS: readonly (number | undefined)[] | undefined;
}

interface RowReadBefore {
  readonly read: ReadRow;
  /** Whose numbers it has. */
  readonly index: ClusterIndex;
  readonly freshForMs: number;
  readonly entries: PackedEntries;
}

/** How the rows of one run are read, and where their paths go. */
export interface RowReading {
  readonly index: ClusterIndex;
  readonly localNode: number;
  /** Since this agent started, in milliseconds. */
  readonly uptimeMs: number;
  readonly entries: EntryList;
  /** The entry of each target by the current observer. Rows need not keep a node's paths together. */
  readonly entryAt: Int32Array;
}

/** What a row with paths says is the same in each run, until another one comes or the list of nodes changes. */
const readBefore = new WeakMap<Row, RowReadBefore>();

/** Adds the paths of a row that was read in another run, and returns what else it says; undefined if it was not. */
export function readAgain(
  row: Row,
  node: number,
  bodyAgeMs: number,
  { index, uptimeMs, entries }: RowReading,
): ReadRow | undefined {
  const before = readBefore.get(row);
  // An agent that has just started reads what others say of itself in another way.
  if (before?.index !== index || uptimeMs <= before.freshForMs) return undefined;
  addPacked(entries, node, before.entries, bodyAgeMs / 1000);
  return before.read;
}

/**
 * Adds the paths of a row and returns what else it says. The own row may name thousands of nodes, so it yields.
 * @param isFirst no other agent was ever heard
 */
export function* readRow(
  row: Row,
  node: number,
  bodyAgeMs: number,
  isFirst: boolean,
  { index, localNode, uptimeMs, entries, entryAt }: RowReading,
): Generator<void, ReadRow> {
  const first = entries.size;
  const coverage = readCoverage(row, index);
  // A restarted agent failed before it started. Others need some time to see that it is back.
  const isSettled = uptimeMs > freshForMs(row) || node === localNode;
  const restarted = isSettled ? -1 : localNode;
  const reading = {
    node,
    coverage,
    bodyAgeMs,
    first,
    entries,
    entryAt,
    restarted,
    uptimeMs,
    isFirst,
  };
  const unnamed = failingCounts(row);
  const { paths, large, families, refutation } = row;
  for (let at = 0; at < paths.length; at += pathsInSlice) {
    if (at > 0) yield;
    readPaths(index, paths, at, reading, unnamed);
  }
  const heard = (row.heard ?? []).flatMap((name) => index.numberOf.get(name) ?? []);
  const read = {
    coverage,
    omitted: leftOut(row, unnamed),
    heard,
    large,
    families,
    refutation,
    unansweredS: unansweredS(row),
  };
  const mayBeKept = paths.length > 0 && isSettled && node !== localNode;
  const packed = mayBeKept ? packEntries({ paths }, index, entries, first, entryAt) : undefined;
  if (packed) readBefore.set(row, { read, index, freshForMs: freshForMs(row), entries: packed });
  return read;
}
