import { channelNumber } from '../../model/channel.js';
import type { Plane } from '../../model/path.js';
import { freshForMs, rowRewriteMs, type ObservedRow, type Row } from '../../model/row.js';
import { maskWhere, allMask, channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { readCoverage, type Coverage } from './coverage.js';
import type { EntryList } from './entry-list.js';
import { lastAnswersOf, type LastAnswers } from './unanswered.js';

/** The work between two yields, in paths. */
export const pathsInSlice = 500;

/** An agent answers a little later than its process starts. */
const startupMs = 1000;

/** A node list comes to agents one after the other, and a row is not made anew whenever it is confirmed. */
const moveDelayMs = rowRewriteMs + 500;

/** What a row says beside its paths, by the numbers of an index. */
interface ReadRow extends Pick<Row, 'large' | 'families' | 'refutation'> {
  readonly coverage: Coverage;
  readonly omitted: readonly number[];
  readonly heard: readonly number[];
  /** By the time when it was written. */
  readonly lastAnswers: LastAnswers;
}

interface RowReadBefore {
  readonly read: ReadRow;
  readonly index: ClusterIndex;
  readonly freshForMs: number;
  /** As `packEntries` packs them. */
  readonly entries: Int32Array;
}

/** How the rows of one run are read, and where their paths go. */
interface RowReading {
  readonly input: DiagnosisInput;
  readonly localNode: number;
  readonly entries: EntryList;
  /** The entry of each target by the current observer. Rows need not keep a node's paths together. */
  readonly entryAt: Int32Array;
}

/** What a row says is the same in each run, until another one comes or the list of nodes changes. */
const readBefore = new WeakMap<Row, RowReadBefore>();

/** Adds the paths of a row that was read in another run, and returns what else it says; undefined if it was not. */
export function readAgain(
  row: Row,
  node: number,
  bodyAgeMs: number,
  { input: { index, uptimeMs }, entries }: RowReading,
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
  { row, ageMs, bodyAgeMs }: Pick<ObservedRow, 'row' | 'ageMs' | 'bodyAgeMs'>,
  node: number,
  isFirst: boolean,
  reading: RowReading,
): Generator<void, ReadRow> {
  const { input, localNode, entries, entryAt } = reading;
  const { index, now, uptimeMs } = input;
  const first = entries.size;
  /** The row counts once it is confirmed again. */
  let isAnyOfOldAddress = false as boolean;
  const coverage = readCoverage(row, index);
  // A restarted agent failed before it started. Others need some time to see that it is back.
  const isSettled = uptimeMs > freshForMs(row);
  const restarted = isSettled ? -1 : localNode;
  // By then it has probed each path once. A port that refuses since later had an agent before.
  const firstProbesMs = row.httpIntervalMs + startupMs;
  const { paths, large, families, refutation } = row;
  const { host, endpoint } = row.counts;
  const unnamed = [host.icmp, host.http, endpoint.icmp, endpoint.http].map(
    (one) => one.unreachable,
  );
  for (let at = 0; at < paths.length; at += pathsInSlice) {
    if (at > 0) yield;
    readSlice(at);
  }
  const heard = row.heard?.flatMap((name) => index.numberOf.get(name) ?? []) ?? noneHeard;
  const read = {
    coverage,
    // How many failing paths it does not name, where it leaves nodes out.
    omitted: row.omittedNodes === 0 ? noneLeftOut : unnamed.map((count) => Math.max(count, 0)),
    heard,
    large,
    families,
    refutation,
    lastAnswers: lastAnswersOf(row),
  };
  const mayBeKept = isSettled && !isAnyOfOldAddress && node !== localNode;
  const packed = mayBeKept ? packEntries(paths, first, reading) : undefined;
  if (packed) readBefore.set(row, { read, index, freshForMs: freshForMs(row), entries: packed });
  return read;

  /** Whether the row is from before the node got the address that the list has now. */
  function isOfBefore(target: number, plane: Plane): boolean {
    const movedMs = index.movedMs.get(target)?.[plane];
    return movedMs !== undefined && now - ageMs < movedMs + moveDelayMs;
  }

  /** Adds some of its paths, from the first of them on. */
  function readSlice(at: number): void {
    const probed = maskWhere((channel) => (coverage.horizons[channel] ?? -1) >= 0);
    const bodyAgeS = bodyAgeMs / 1000;
    const end = Math.min(at + pathsInSlice, paths.length);
    for (let next = at; next < end; next++) {
      const path = paths[next] as Row['paths'][number];
      const channel = channelNumber(path.plane, path.protocol);
      if (path.state === 'unreachable') unnamed[channel] = (unnamed[channel] ?? 0) - 1;
      const target = index.numberOf.get(path.node);
      if (target === undefined || target === node) continue;
      if ((entryAt[target] ?? -1) < first) entryAt[target] = entries.add(node, target);
      if (((((index.masks[target] ?? 0) & probed) >> channel) & 1) === 0) continue;
      const failingMs = 1000 * path.ageSeconds + bodyAgeMs;
      const isFromBefore = target === restarted && failingMs > uptimeMs - startupMs;
      const isOfOldAddress = node !== localNode && isOfBefore(target, path.plane);
      const isNoAgent =
        isFirst && path.failure === 'refused' && failingMs > uptimeMs - firstProbesMs;
      isAnyOfOldAddress ||= isOfOldAddress;
      const isUnknown =
        isOfOldAddress || (path.state === 'unreachable' && (isFromBefore || isNoAgent));
      entries.note(entryAt[target] ?? -1, channel, isUnknown ? asUnknown(path) : path, bodyAgeS);
    }
  }
}

// Of thousands of rows nearly all say the same, and what they say is kept.
const noneLeftOut = [0, 0, 0, 0];
const noneHeard: readonly number[] = [];
const noEntries = new Int32Array();

function asUnknown({ node, plane, protocol, ageSeconds }: Row['paths'][number]) {
  return { node, plane, protocol, ageSeconds, state: 'unknown' } as const;
}

/**
 * So many numbers stand for an entry: the node, its channels by state and why they fail, which answered since, for how long it was
 * not heard (-1: not told), and the ages of the four in seconds; then what each of the four lost.
 */
const perEntry = 9;
/** The places of the ages and of the losses. */
const [ages, losses] = [4, 8];

/** Packs the entries of a row that was just read, from the first on; undefined where they say more than fits. */
function packEntries(
  paths: Row['paths'],
  first: number,
  { input, entries, entryAt }: RowReading,
): Int32Array | undefined {
  if (entries.size === first) return noEntries;
  const packed = new Int32Array(perEntry * (entries.size - first));
  for (let entry = first; entry < entries.size; entry++) {
    const at = perEntry * (entry - first);
    packed[at] = entries.to[entry] ?? 0;
    packed[at + 1] = entries.states(entry);
    packed[at + 2] = entries.answeredSince[entry] ?? 0;
    packed[at + 3] = -1;
    packed[at + losses] = entries.lost[entry] ?? 0;
  }
  for (const { node, plane, protocol, ageSeconds, flows, unheardSeconds } of paths) {
    if (flows || !Number.isInteger(ageSeconds)) return undefined;
    const entry = entryAt[input.index.numberOf.get(node) ?? -1] ?? -1;
    if (entry < first) continue;
    const at = perEntry * (entry - first);
    packed[at + ages + channelNumber(plane, protocol)] = ageSeconds;
    if (unheardSeconds !== undefined) packed[at + 3] = unheardSeconds;
  }
  return packed;
}

/** Adds packed entries of an observer, whose row is so many seconds old. */
function addPacked(
  entries: EntryList,
  observer: number,
  packed: Int32Array,
  bodyAgeS: number,
): void {
  for (let at = 0; at < packed.length; at += perEntry) {
    const entry = entries.add(observer, packed[at] ?? 0);
    const states = packed[at + 1] ?? 0;
    entries.setStates(entry, states);
    entries.answeredSince[entry] = packed[at + 2] ?? 0;
    const unheardS = packed[at + 3] ?? -1;
    if (unheardS !== -1) entries.unheardS[entry] = unheardS + bodyAgeS;
    entries.lost[entry] = packed[at + losses] ?? 0;
    const reported = states | (states >> 4) | (states >> 8) | (states >> 12);
    for (const channel of channelsIn(reported & allMask))
      entries.setAge(entry, channel, packed[at + ages + channel] ?? 0, bodyAgeS);
  }
}
