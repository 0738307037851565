import type { Row } from '../model/row.js';
import { nameHash } from '../model/name-hash.js';
import { channelOf, channels } from './channels.js';
import type { ClusterIndex } from './cluster-index.js';
import type { ObservedRow } from './diagnosis-input.js';
import { EntryList } from './entry-list.js';

/** An active node whose row is fresh and believable. */
export interface Observer {
  readonly node: number;
  /** Seconds since it last confirmed its row. */
  readonly ageS: number;
  /**
   * For each channel, the highest name hash up to which the row is complete. Infinity if it left
   * nothing out, -1 if it does not look.
   */
  readonly horizons: readonly number[];
}

/**
 * What observers say about nodes: one entry for each pair that has a path that is not well. Entries
 * are in the order of observers. `byTarget` has their numbers in the order of targets.
 */
export interface Observations {
  readonly observers: readonly Observer[];
  /** The number of a node's observer; -1 if it is not one. */
  readonly observerOf: Int32Array;
  /** For each node the age of its row in seconds; Infinity if it has no row that counts. */
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
  /** The longest age of its failing paths, or else of its degraded ones, in seconds. */
  readonly ageS: Float32Array;
  /** The entries of observer i are those from `firstOf[i]` to below `firstOf[i + 1]`. */
  readonly firstOf: Int32Array;
  readonly byTarget: Int32Array;
  /** For each entry, why its channels fail: four bits each, see `failureCodes`. */
  readonly failures: Uint16Array;
  /** Failing paths between nodes as all observers see them, including those that their rows leave out. */
  readonly failing: number;
  /**
   * By the number of a node: how many milliseconds ago an observer heard it that does not reach it.
   */
  readonly heardMsAgo: ReadonlyMap<number, number>;
  /** Active nodes whose row is stale. */
  readonly stale: readonly StaleRow[];
  /** The local agent's own row. */
  readonly own: Row | undefined;
  /** The entries about node i are `byTarget[firstTo[i]]` to below `firstTo[i + 1]`. */
  readonly firstTo: Int32Array;
}

/** What is known of an observer whose row does not count. */
export interface StaleRow {
  readonly node: number;
  readonly ageMs: number;
  readonly httpIntervalMs: number;
  readonly httpTimeoutMs: number;
}

/** The work between two yields, in paths. */
const slice = 10_000;

/**
 * Collects what the fresh rows of active nodes say about active nodes. The row of a starved
 * observer is ignored.
 */
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
  // The entry of each target by the current observer. Rows need not keep a node's paths together.
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
    failing += failingOf(row) - told.failingToItself;
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
    observers,
    observerOf,
    size,
    from,
    to,
    fail,
    lossy,
    slow,
    unknown,
    ageS,
    firstOf: Int32Array.from(firstOf),
    byTarget,
    firstTo,
    failures,
    failing,
    heardMsAgo,
    stale,
    own,
    rowAgeS,
  };
}

/** About this many of the rows that leave nodes out are read. */
const mostPartialRows = 600;

/**
 * Whether a row is read. In a large outage rows leave nodes out, and all tell of the same nodes.
 * Then only the rows of the observers with the lowest hashes are read: the same ones on every
 * agent.
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
  /** The channels that the observer looks at. */
  readonly looks: number;
  readonly bodyAgeS: number;
  /** The first entry of this observer. */
  readonly first: number;
  readonly entries: EntryList;
  readonly entryAt: Int32Array;
}

/** How many paths of each channel a row tells of, and the highest hash among their nodes. */
interface Told {
  readonly perChannel: number[];
  readonly highestHash: number;
  /** A node's path to itself is no pair of nodes, and no cause explains it. */
  readonly failingToItself: number;
}

function readPaths(index: ClusterIndex, row: Row, reading: Reading): Told {
  const { node, looks, bodyAgeS, first, entries, entryAt } = reading;
  const perChannel = [0, 0, 0, 0];
  let [highestHash, failingToItself] = [-1, 0];
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
    if (target === node && path.state === 'unreachable') failingToItself++;
    if (target === undefined || target === node) continue;
    if ((((index.masks[target] ?? 0) & looks) >> channel) & 1) {
      entries.note(entry, channel, path, bodyAgeS);
    }
  }
  return { perChannel, highestHash, failingToItself };
}

/** The channels on which an observer has results, if its host can send by their protocol. */
function looksOn({ health, counts }: Row): number {
  return channels.reduce((mask, { plane, protocol }, channel) => {
    const { reachable, unreachable } = counts[plane][protocol];
    const looks = !health.notSending.includes(protocol) && reachable + unreachable > 0;
    return looks ? mask | (1 << channel) : mask;
  }, 0);
}

/**
 * A channel is complete if all its paths that are not well are in the row, whatever else was left
 * out.
 */
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
