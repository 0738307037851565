import type { Row } from '../model/row.js';
import { nameHash } from '../model/name-hash.js';
import { channelOf, channels } from './channels.js';
import type { ClusterIndex } from './cluster-index.js';
import type { ObservedRow } from './diagnosis-input.js';
import { EntryList } from './entry-list.js';

/** An active node whose row is fresh and can be believed. */
export interface Observer {
  readonly node: number;
  /** Since it last said so. */
  readonly ageS: number;
  /**
   * For each channel, up to which hash of a name it tells all that is not well: Infinity where it
   * left nothing out, -1 where it does not look.
   */
  readonly horizons: readonly number[];
}

/**
 * What observers say of nodes, one entry for each pair of which not all is well. Entries are in
 * order of observers; `byTarget` holds their numbers in order of targets.
 */
export interface Observations {
  readonly observers: readonly Observer[];
  /** The number of a node's observer; -1 where it is none. */
  readonly observerOf: Int32Array;
  /** For each node how old its row is, in seconds; Infinity where it has none that counts. */
  readonly rowAgeS: Float64Array;
  readonly size: number;
  /** Node numbers. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Masks of channels. */
  readonly fail: Uint8Array;
  readonly lossy: Uint8Array;
  readonly slow: Uint8Array;
  readonly unknown: Uint8Array;
  /** For how long its failing (or else degraded) paths have been so, the longest, in seconds. */
  readonly ageS: Float32Array;
  /** The entries of observer i are those from `firstOf[i]` to below `firstOf[i + 1]`. */
  readonly firstOf: Int32Array;
  readonly byTarget: Int32Array;
  /** For each entry, why its channels fail: four bits a channel, `failureCodes` says what they mean. */
  readonly failures: Uint16Array;
  /** Failing paths of all observers, also those that their rows leave out. */
  readonly failing: number;
  /** When others last heard a node that they do not reach, by its number, in milliseconds ago. */
  readonly heardMsAgo: ReadonlyMap<number, number>;
  /** Active nodes whose row is stale. */
  readonly stale: readonly StaleRow[];
  /** The local agent's own row. */
  readonly own: Row | undefined;
  /** The entries about node i are `byTarget[firstTo[i]]` to below `firstTo[i + 1]`. */
  readonly firstTo: Int32Array;
}

/** What is known of an observer whose row counts for nothing. */
export interface StaleRow {
  readonly node: number;
  readonly ageMs: number;
  readonly httpIntervalMs: number;
  readonly httpTimeoutMs: number;
}

/** After so many paths there is a chance to let others run. */
const slice = 10_000;

/** Collects what fresh rows of active nodes say of active nodes. A starved observer is no witness. */
export function* observe(
  index: ClusterIndex,
  rows: Iterable<ObservedRow>,
  localName: string,
): Generator<void, Observations> {
  const entries = new EntryList();
  const observers: Observer[] = [];
  const firstOf: number[] = [];
  const observerOf = new Int32Array(index.size).fill(-1);
  const rowAgeS = new Float64Array(index.size).fill(Infinity);
  // Where a target's entry of the current observer is: rows need not keep a node's paths together.
  const entryAt = new Int32Array(index.size).fill(-1);
  const heardMsAgo = new Map<number, number>();
  const stale: StaleRow[] = [];
  let own: Row | undefined;
  let [failing, work] = [0, 0];
  for (const { row, ageMs, bodyAgeMs, freshness } of rows) {
    const node = index.numberOf.get(row.observer);
    if (row.observer === localName) own = row;
    if (node === undefined) continue;
    if (freshness === 'stale') {
      const { httpIntervalMs, httpTimeoutMs } = row;
      stale.push({ node, ageMs, httpIntervalMs, httpTimeoutMs });
    }
    if (freshness === 'stale' || observerOf[node] !== -1) continue;
    if (row.health.starved) continue;
    if (row.observer !== localName && !isRowRead(row, index.size)) continue;
    observerOf[node] = observers.length;
    rowAgeS[node] = ageMs / 1000;
    failing += failingOf(row);
    for (const name of row.heard ?? []) {
      const heard = index.numberOf.get(name);
      if (heard === undefined || heard === node) continue;
      heardMsAgo.set(heard, Math.min(heardMsAgo.get(heard) ?? Infinity, bodyAgeMs));
    }
    const bodyAgeS = bodyAgeMs / 1000;
    const first = entries.size;
    firstOf.push(first);
    const looks = looksOn(row);
    const told = readPaths(index, row, { node, looks, bodyAgeS, first, entries, entryAt });
    const horizons = horizonsOf(row, looks, told);
    observers.push({ node, ageS: ageMs / 1000, horizons });
    work += row.paths.length;
    if (work > slice) {
      work = 0;
      yield;
    }
  }
  firstOf.push(entries.size);
  const { size, from, to, fail, lossy, slow, unknown, ageS, failures } = entries;
  const firstTo = new Int32Array(index.size + 1);
  for (let entry = 0; entry < size; entry++) {
    const at = (to[entry] ?? 0) + 1;
    firstTo[at] = (firstTo[at] ?? 0) + 1;
  }
  for (let node = 0; node < index.size; node++) {
    firstTo[node + 1] = (firstTo[node + 1] ?? 0) + (firstTo[node] ?? 0);
  }
  yield;
  const nextAt = firstTo.slice();
  const byTarget = new Int32Array(size);
  for (let entry = 0; entry < size; entry++) {
    const target = to[entry] ?? 0;
    const at = nextAt[target] ?? 0;
    byTarget[at] = entry;
    nextAt[target] = at + 1;
  }
  yield;
  return {
    ...{ observers, observerOf, size, from, to, fail, lossy, slow, unknown, ageS },
    ...{ firstOf: Int32Array.from(firstOf), byTarget, firstTo, failures },
    ...{ failing, heardMsAgo, stale, own, rowAgeS },
  };
}

/** Of rows that leave nodes out, about so many are read. */
const mostPartialRows = 600;

/**
 * Whether a row is read. Where so much fails that rows leave nodes out, all of them tell of the same
 * nodes, and those of the observers with the lowest hashes do: the same ones on every agent.
 *
 * @param nodes how many active nodes there are
 */
export function isRowRead(row: Pick<Row, 'observer' | 'omittedNodes'>, nodes: number): boolean {
  if (row.omittedNodes === 0 || nodes <= mostPartialRows) return true;
  return nameHash(row.observer) < (mostPartialRows / nodes) * 2 ** 32;
}

function failingOf({ counts: { host, endpoint } }: Row): number {
  const planes = [host, endpoint];
  return planes.reduce((sum, { icmp, http }) => sum + icmp.unreachable + http.unreachable, 0);
}

interface Reading {
  readonly node: number;
  /** The channels that it looks at. */
  readonly looks: number;
  readonly bodyAgeS: number;
  /** The first entry of this observer. */
  readonly first: number;
  readonly entries: EntryList;
  readonly entryAt: Int32Array;
}

/** What was read of a row: how many paths of each channel it told, and the highest hash among them. */
interface Told {
  readonly perChannel: number[];
  readonly highestHash: number;
}

function readPaths(index: ClusterIndex, row: Row, reading: Reading): Told {
  const { node, looks, bodyAgeS, first, entries, entryAt } = reading;
  const perChannel = [0, 0, 0, 0];
  let highestHash = -1;
  let lastName: string | undefined;
  let target: number | undefined;
  let entry = -1;
  for (const path of row.paths) {
    const channel = channelOf(path.plane, path.protocol);
    perChannel[channel] = (perChannel[channel] ?? 0) + 1;
    if (path.node !== lastName) {
      lastName = path.node;
      target = index.numberOf.get(path.node);
      if (target !== undefined) {
        highestHash = Math.max(highestHash, index.hashes[target] ?? 0);
        entry = entryAt[target] ?? -1;
        if (target !== node && entry < first) entryAt[target] = entry = entries.add(node, target);
      }
    }
    if (target === undefined || target === node) continue;
    if ((((index.masks[target] ?? 0) & looks) >> channel) & 1) {
      entries.note(entry, channel, path, bodyAgeS);
    }
  }
  return { perChannel, highestHash };
}

/** The channels of which an observer has seen something, and by whose protocol its host can send. */
function looksOn({ health, counts }: Row): number {
  return channels.reduce((mask, { plane, protocol }, channel) => {
    const { reachable, unreachable } = counts[plane][protocol];
    const looks = !health.notSending.includes(protocol) && reachable + unreachable > 0;
    return looks ? mask | (1 << channel) : mask;
  }, 0);
}

/** Where all that is not well on a channel is told, the channel is told whole, whatever else was left out. */
function horizonsOf(row: Row, looks: number, { perChannel, highestHash }: Told): number[] {
  return channels.map(({ plane, protocol }, channel) => {
    if (((looks >> channel) & 1) === 0) return -1;
    if (row.omittedNodes === 0) return Infinity;
    const { unreachable, unknown, degraded } = row.counts[plane][protocol];
    return (perChannel[channel] ?? 0) >= unreachable + unknown + degraded ? Infinity : highestHash;
  });
}

/** Whether an observer tells of a node on at least one channel of a mask. */
export function looksAt(
  index: ClusterIndex,
  observer: Observer,
  node: number,
  mask: number,
): boolean {
  if (observer.node === node) return false;
  const hash = index.hashes[node] ?? 0;
  const having = mask & (index.masks[node] ?? 0);
  for (let channel = 0; channel < 4; channel++) {
    if ((having >> channel) & 1 && (observer.horizons[channel] ?? -1) >= hash) return true;
  }
  return false;
}
