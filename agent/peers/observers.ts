import { freshForMs, type ObservedRow, type Row } from '../model/row.js';
import type { NodeDirectory } from './node-directory.js';
import { keepRow, KeptRow } from './row/kept-row.js';
import { believedOf, SharedParts, type Believed } from './row/shared-parts.js';
import { tellsOfHost } from './row/signs.js';
import { areTargetsWell } from './row/targets.js';

/** The number of observers by freshness of their row. This agent is not one of them. */
export interface ObserverCounts {
  readonly fresh: number;
  readonly stale: number;
  /** Those of the stale ones whose node is active: they are expected to tell what they see. */
  readonly missed: number;
  /** Listed nodes that never sent a row. */
  readonly silent: number;
  /**
   * Silent nodes that answer this agent's GETs, but without a row: no agent runs there, or it
   * refuses this one.
   */
  readonly plain: number;
  /** The age of the oldest fresh or stale row in milliseconds; undefined where there is none. */
  readonly oldestMs: number | undefined;
}

/** Called with a row that has come, and how long ago it was written, in milliseconds. */
export type RowListener = (row: Row, bodyAgeMs: number) => void;

interface Entry {
  tag: string;
  row: Row;
  writtenMs: number;
  confirmedMs: number;
  /** Its interval and timeout, as it told them. */
  reported: Believed;
  areTargetsWell: boolean;
  tellsOfHost: boolean;
  isReady: boolean;
}

/** The last row of every observer: some 10 MB for 5,000 of them in the worst outage. */
export class Observers {
  readonly #entries = new Map<string, Entry>();
  readonly #heardMs = new Map<string, number>();
  readonly #getMs = new Map<string, number>();
  /** Since when peers answer as they answer a stranger. */
  readonly #plain = new Map<string, number>();
  readonly #shared: SharedParts;
  readonly #listeners = new Set<RowListener>();
  readonly #directory: NodeDirectory;
  readonly #localName: string;
  readonly #mostBelieved: (() => Believed) | undefined;

  /** @param mostBelieved the longest interval and timeout that are believed of an observer; left out, whatever it says */
  constructor(directory: NodeDirectory, localName: string, mostBelieved?: () => Believed) {
    this.#directory = directory;
    this.#localName = localName;
    this.#mostBelieved = mostBelieved;
    this.#shared = new SharedParts({
      numberOfNode: (name) => directory.get(name)?.number,
      nodeOfNumber: (number) => directory.nameOf(number),
    });
  }

  /**
   * Calls the listener when an observer's row has changed. Returns a function that removes the
   * listener.
   */
  onRow(listener: RowListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notes that a peer's own GET has come: the peer lives, even if packets to it are lost. */
  noteGet(name: string, nowMs: number): void {
    this.#heardMs.set(name, nowMs);
    this.#getMs.set(name, nowMs);
  }

  /** Notes that a peer answered a GET of this agent with what agents tell each other. */
  noteAnswer(name: string, nowMs: number): void {
    this.#heardMs.set(name, nowMs);
    this.#plain.delete(name);
  }

  /** Notes that a listed peer answered a GET of this agent as it answers a stranger's. */
  notePlainAnswer(name: string, nowMs: number): void {
    if (this.#directory.get(name) && !this.#plain.has(name)) this.#plain.set(name, nowMs);
  }

  /** Since when a peer answers as it answers a stranger, in monotonic milliseconds; undefined if it does not. */
  plainMs(name: string): number | undefined {
    return this.#plain.get(name);
  }

  /** When a peer's own GET came last, in monotonic milliseconds. */
  getMs(name: string): number | undefined {
    return this.#getMs.get(name);
  }

  /** When a peer was last heard, by its own GET or by its answer, in monotonic milliseconds. */
  heardMs(name: string): number | undefined {
    return this.#heardMs.get(name);
  }

  /** Whether the last row of a peer says that it is ready and gets the processor; false where there is none. */
  isReady(name: string): boolean {
    return this.#entries.get(name)?.isReady === true;
  }

  /** The tag of the kept row of a peer; undefined if there is none. */
  tagOf(name: string): string | undefined {
    return this.#entries.get(name)?.tag;
  }

  /** Reads a row as it came from a peer, as parsed JSON. Undefined if it is malformed. */
  read(observer: string, value: unknown): KeptRow | undefined {
    return keepRow(observer, value, this.#shared);
  }

  /** Keeps a new row. */
  keep(row: Row, tag: string, bodyAgeMs: number, nowMs: number): void {
    const { ready, starved } = row.health;
    this.#entries.set(row.observer, {
      tag,
      row,
      writtenMs: nowMs - bodyAgeMs,
      confirmedMs: nowMs,
      reported: row instanceof KeptRow ? row.reported : row,
      areTargetsWell: areTargetsWell(row.targets),
      tellsOfHost: tellsOfHost(row),
      isReady: ready && !starved,
    });
    for (const listener of this.#listeners) listener(row, bodyAgeMs);
  }

  /** Notes that the kept row of a peer is still its row. */
  confirm(name: string, tag: string, nowMs: number): void {
    const entry = this.#entries.get(name);
    if (entry?.tag === tag) entry.confirmedMs = nowMs;
  }

  /** The host was suspended for so many milliseconds, in which the clock stood still: all that is known is older by that. */
  noteSuspended(ms: number): void {
    for (const entry of this.#entries.values()) {
      entry.writtenMs -= ms;
      entry.confirmedMs -= ms;
    }
    for (const heard of [this.#heardMs, this.#getMs, this.#plain]) {
      for (const [name, atMs] of heard) heard.set(name, atMs - ms);
    }
  }

  /** The peers that sent a row, and when they confirmed it last, in monotonic milliseconds. */
  *confirmed(): Generator<readonly [peer: string, confirmedMs: number]> {
    for (const [peer, { confirmedMs }] of this.#entries) yield [peer, confirmedMs];
  }

  /** Forgets the nodes that are listed no more. */
  retainListed(): void {
    this.#shared.last = undefined;
    for (const name of this.#entries.keys()) {
      if (!this.#directory.get(name)) this.#entries.delete(name);
    }
    for (const notes of [this.#heardMs, this.#getMs, this.#plain]) {
      for (const name of notes.keys()) if (!this.#directory.get(name)) notes.delete(name);
    }
  }

  /** The rows of all observers. Rows may come meanwhile. */
  *rows(nowMs: number): Generator<ObservedRow> {
    const most = this.#believeNow();
    for (const entry of this.#entries.values()) {
      const { row, confirmedMs, writtenMs, areTargetsWell: areWell, tellsOfHost: tells } = entry;
      yield {
        row,
        ageMs: Math.max(nowMs - confirmedMs, 0),
        bodyAgeMs: Math.max(nowMs - writtenMs, 0),
        freshness: freshnessOf(entry, most, nowMs),
        areTargetsWell: areWell,
        tellsOfHost: tells,
      };
    }
  }

  /** Listed nodes that never sent a row, and since when they are listed, in monotonic milliseconds. */
  *silent(): Generator<{ readonly name: string; readonly listedMs: number }> {
    for (const { name, listedMs } of this.#directory.nodes()) {
      if (name !== this.#localName && !this.#entries.has(name)) yield { name, listedMs };
    }
  }

  counts(nowMs: number): ObserverCounts {
    const counts = { fresh: 0, stale: 0, missed: 0, silent: 0 };
    let oldestMs: number | undefined;
    const most = this.#believeNow();
    for (const [name, entry] of this.#entries) {
      const freshness = freshnessOf(entry, most, nowMs);
      counts[freshness]++;
      if (freshness === 'stale' && this.#directory.get(name)?.isActive === true) counts.missed++;
      oldestMs = Math.max(oldestMs ?? 0, nowMs - entry.confirmedMs);
    }
    const isListed = this.#directory.get(this.#localName) !== undefined;
    counts.silent = this.#directory.size - (isListed ? 1 : 0) - this.#entries.size;
    let plain = 0;
    for (const name of this.#plain.keys()) if (!this.#entries.has(name)) plain++;
    return { ...counts, plain, oldestMs };
  }

  /** What is believed now. The rows that are read from here on say no more either. */
  #believeNow(): Believed {
    if (this.#mostBelieved) {
      this.#shared.mostBelieved = this.#mostBelieved();
      this.#shared.last = undefined;
    }
    return this.#shared.mostBelieved;
  }

  /** Memory that the rows of peers take, in bytes, beside what they have in common. */
  get keptBytes(): number {
    let bytes = 0;
    for (const { row } of this.#entries.values())
      if (row instanceof KeptRow) bytes += row.byteLength;
    return bytes;
  }
}

function freshnessOf(
  { confirmedMs, reported }: Entry,
  most: Believed,
  nowMs: number,
): ObservedRow['freshness'] {
  return nowMs - confirmedMs <= freshForMs(believedOf(reported, most)) ? 'fresh' : 'stale';
}
