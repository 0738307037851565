import type { RowRefutation } from '../../model/refutation.js';
import { rowRewriteMs, type Row, type RowFamily } from '../../model/row.js';
import type { RowLarge } from '../../model/row-large.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput, ObservedRow } from '../nouns/diagnosis-input.js';
import { paced } from '../nouns/steps.js';
import type { Coverage } from './coverage.js';
import { EntryList } from './entry-list.js';
import { orderEntries } from './order-entries.js';
import { pathsInSlice, readAgain, readRow } from './read-row.js';
import { chooseRows } from './row-choice.js';
import { TargetLooksList } from './target-looks.js';
import type { LastAnswers } from './unanswered.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { RowChange, RowSign } from '../../model/row-host.js';

/** An active node whose row is fresh and believable. */
export interface Observer extends LastAnswers {
  readonly node: number;
  /** How old what its row says is, in seconds. */
  readonly ageS: number;
  /** It may be older by so much: its agent may not have looked since whether it has changed. */
  readonly staleS: number;
  readonly coverage: Coverage;
  /** For each channel, how many failing paths its row counts and does not name. */
  readonly omitted: readonly number[];
  readonly refutation: RowRefutation | undefined;
}

/** That an observer heard a node's own GETs after its paths to that node began to fail. */
export interface Heard {
  readonly observer: number;
  /** When its row first said so, at the latest. */
  readonly msAgo: number;
  /** When it said so last: a row that hears a node no more is another row. */
  readonly confirmedMsAgo: number;
}

/** What is known of an observer whose row does not count. */
export interface StaleRow {
  readonly node: number;
  readonly ageMs: number;
  readonly httpIntervalMs: number;
  readonly httpTimeoutMs: number;
}

/** What an observer counts of second addresses, beside what it counts of the first ones. */
export interface ObservedFamilies {
  readonly observer: number;
  readonly families: readonly RowFamily[];
  readonly counts: Row['counts'];
}

/** What the row of a node says of large packets. */
interface SaidOfLarge {
  readonly node: number;
  readonly large: RowLarge;
  readonly bodyAgeS: number;
}

/** What fresh rows of active nodes say about active nodes. Entries are in the order of observers. */
export interface Observations {
  readonly entries: EntryList;
  readonly observers: readonly Observer[];
  /** The number of a node's observer; -1 if it is not one. */
  readonly observerOf: Int32Array;
  /** The entries of observer i are those from `firstOf[i]` to below `firstOf[i + 1]`. */
  readonly firstOf: Int32Array;
  /** The entries about node i are `byTarget[firstTo[i]]` to below `firstTo[i + 1]`. */
  readonly byTarget: Int32Array;
  readonly firstTo: Int32Array;
  /** By the number of a node: the observers that hear it and do not reach it. */
  readonly heard: ReadonlyMap<number, readonly Heard[]>;
  readonly stale: readonly StaleRow[];
  readonly own: Row | undefined;
  readonly targets: TargetLooksList;
  /** What they say of large packets. Mostly they say nothing. */
  readonly large: readonly SaidOfLarge[];
  /** What they count of addresses of a second family. */
  readonly families: readonly ObservedFamilies[];
  /** What they tell of their own hosts, those of starved observers too: by the number of a node, but for those that told nothing. */
  readonly hosts: ReadonlyMap<number, SeenHost>;
}

/** Collects what fresh rows say of active nodes, without paths of a node to itself and the rows of starved observers. */
export function* observe(input: DiagnosisInput): Generator<void, Observations> {
  const { index, rows, localName, heardMsAgo } = input;
  const entries = EntryList.take(index);
  const observers: Observer[] = [];
  const firstOf: number[] = [];
  const observerOf = new Int32Array(index.size).fill(-1);
  const heard = new Map<number, Heard[]>();
  const stale: StaleRow[] = [];
  const targets = new TargetLooksList(index.size);
  const large: SaidOfLarge[] = [];
  const families: ObservedFamilies[] = [];
  const hosts = new Map<number, SeenHost>();
  const localNode = index.numberOf.get(localName) ?? -1;
  const entryAt = new Int32Array(index.size).fill(-1);
  const reading = { input, localNode, entries, entryAt };
  const isHeard = ({ name }: { readonly name: string }) => heardMsAgo.get(name) !== undefined;
  let own: Row | undefined;
  const isEnough = paced(pathsInSlice);
  for (const observed of ownLast(chooseRows(rows, input), localName)) {
    const { row, ageMs, bodyAgeMs, freshness } = observed;
    const { areTargetsWell = false, tellsOfHost = true } = observed;
    const node = index.numberOf.get(row.observer);
    if (row.observer === localName) own = row;
    if (node === undefined) continue;
    const { signs = [], changes = [] }: Pick<Row, 'signs' | 'changes'> = tellsOfHost ? row : {};
    if (signs.length + changes.length > 0)
      hosts.set(node, { signs, isStale: freshness === 'stale', changes, bodyAgeMs });
    if (freshness === 'stale') {
      const { httpIntervalMs, httpTimeoutMs } = row;
      stale.push({ node, ageMs, httpIntervalMs, httpTimeoutMs });
    }
    if (freshness === 'stale' || observerOf[node] !== -1) continue;
    const first = entries.size;
    const before = readAgain(row, node, bodyAgeMs, reading);
    if (!before && row.health.starved) continue;
    const isFirst =
      node === localNode &&
      observers.length + stale.length === 0 &&
      row.counts.host.http.reachable <= 1 &&
      !index.nodes.some(isHeard);
    const read = before ?? (yield* readRow(observed, node, isFirst, reading));
    for (const about of read.heard) {
      if (about === node) continue;
      const observer = { observer: node, msAgo: bodyAgeMs, confirmedMsAgo: ageMs };
      getOrInsert(heard, about, () => []).push(observer);
    }
    observerOf[node] = observers.length;
    firstOf.push(first);
    const { coverage, omitted, refutation, lastAnswers } = read;
    const { answered, answeredS } = lastAnswers;
    // Who confirms a row within a second of when it was written has not looked again.
    const isAsWritten = bodyAgeMs - ageMs < rowRewriteMs;
    observers.push({
      node,
      ageS: (isAsWritten ? Math.max(bodyAgeMs, ageMs) : ageMs) / 1000,
      staleS: isAsWritten ? 0 : rowRewriteMs / 1000,
      coverage,
      omitted,
      refutation,
      answered,
      answeredS: answeredS?.map((s) => (s === undefined ? s : s + bodyAgeMs / 1000)),
    });
    targets.add(node, row, bodyAgeMs / 1000, areTargetsWell);
    if (read.large) large.push({ node, large: read.large, bodyAgeS: bodyAgeMs / 1000 });
    if (read.families)
      families.push({ observer: node, families: read.families, counts: row.counts });
    if (isEnough(20 + (before ? entries.size - first : row.paths.length))) yield;
  }
  firstOf.push(entries.size);
  yield;
  const { first: firstTo, order: byTarget } = yield* orderEntries(
    entries.to,
    entries.size,
    index.size,
  );
  return {
    entries,
    observers,
    observerOf,
    firstOf: Int32Array.from(firstOf),
    byTarget,
    firstTo,
    heard,
    stale,
    own,
    targets,
    large,
    families,
    hosts,
  };
}

/** The rows with the local one last: it is read by what is known of the others. */
function ownLast(rows: readonly ObservedRow[], localName: string): ObservedRow[] {
  const isOwn = ({ row }: ObservedRow) => row.observer === localName;
  return [...rows.filter((one) => !isOwn(one)), ...rows.filter(isOwn).slice(0, 1)];
}

/** The same rows, for what fails: they may name all of that, and of what loses packets only a part. */
export function failingObservations(observations: Observations): Observations {
  const { observers } = observations;
  if (observers.every(({ coverage }) => coverage.ofFailing === undefined)) return observations;
  const ofFailing = observers.map((one) => ({
    ...one,
    coverage: one.coverage.ofFailing ?? one.coverage,
  }));
  return { ...observations, observers: ofFailing };
}

/** The observer that a node is; undefined if it is none. To look up -1 in an array takes fifty times as long as to ask first. */
export function observerAt(
  { observers, observerOf }: Observations,
  node: number,
): Observer | undefined {
  const number = observerOf[node] ?? -1;
  return number === -1 ? undefined : observers[number];
}

/** The entry of one node about another; -1 if there is none. */
export function entryBetween(
  { entries, firstOf, observerOf }: Observations,
  from: number,
  to: number,
): number {
  const observer = observerOf[from] ?? -1;
  if (observer === -1) return -1;
  const end = firstOf[observer + 1] ?? 0;
  for (let entry = firstOf[observer] ?? 0; entry < end; entry++)
    if (entries.to[entry] === to) return entry;
  return -1;
}

/** What all findings of one run share. */
export interface Facts {
  readonly input: DiagnosisInput;
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly localNode: number;
}

/** What a node told of its own host in its last row. */
export interface SeenHost {
  readonly signs: readonly RowSign[];
  /** Whether its row is stale: then the signs are those of its last one, and may have ended. */
  readonly isStale: boolean;
  readonly changes: readonly RowChange[];
  /** The ages in it count from so many milliseconds ago. */
  readonly bodyAgeMs: number;
}
