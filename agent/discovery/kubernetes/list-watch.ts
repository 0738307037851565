import { messageOf } from '../../platform/errors.js';
import type { ApiReader } from './api-client.js';
import { KubernetesApiError, InvalidResponseError } from './kubernetes-api-error.js';
import { Backoff } from './backoff.js';
import { ConnectionState, type ListWatchState } from './connection-state.js';
import { LineSplitter } from './line-splitter.js';
import { ListReader } from './list-reader.js';
import { ListSpread } from './list-spread.js';
import { defaultTimings, type ListWatchTimings } from './list-watch-timings.js';
import { ObjectSet } from './object-set.js';
import { ResourceReader } from './resource-reader.js';
import { RowLookups, type Found, type RowJudge } from './row-lookups.js';
import { asTable, TableWatch } from './table-watch.js';
import { isTable, readEvent, readKey, type WatchEvent } from './watch-event.js';

export interface ListWatchOptions<T> {
  readonly client: Pick<ApiReader, 'get'>;
  /** `/api/v1/nodes` */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Projects an object to what is needed; undefined for an object that is not needed. It must not
   * throw.
   */
  readonly project: (object: unknown) => T | undefined;
  /**
   * Has the server watch as a Table, where it can, and tells from a row whether to look up its object.
   * Where objects have no namespace, their label `kubernetes.io/hostname` is their name, as a rule.
   */
  readonly rows?: RowJudge<T> | undefined;
  /** All objects by `namespace/name`, after the first list and whenever a projection changed. */
  readonly onObjects: (objects: ReadonlyMap<string, T>) => void;
  /** Called when a list was read, when something failed, and when it works again. */
  readonly onState?: (state: ListWatchState) => void;
  readonly timings?: Partial<ListWatchTimings>;
}

const maxEventBytes = 16 << 20;
/** No list is longer; a server that repeats its pages would send them for ever. */
const mostObjects = 100_000;
const tooLong = () => new InvalidResponseError(`expected at most ${mostObjects} objects, got more`);

/**
 * Follows one resource of an API server until it is stopped: it lists in pages, watches from there,
 * and goes on after any error, with growing delays. The known objects stay until the server has
 * sent a whole new list.
 */
export class ListWatch<T> {
  readonly #options: ListWatchOptions<T>;
  readonly #timings: ListWatchTimings;
  readonly #backoff: Backoff;
  readonly #connection: ConnectionState;
  readonly #reader: ResourceReader;
  readonly #spread: ListSpread;
  readonly #table: TableWatch;
  /** Aborted by stop: what is still under way then ends silently. */
  #run: AbortController | undefined;
  #objects: ObjectSet<T>;
  /** 0, as in client-go: any version, which the server has in memory. Empty: the latest. */
  #version = '0';
  #isListDue = true;
  #listedAt = 0;
  #tooNew = 0;
  readonly #lookups: RowLookups;
  readonly #lookupBackoff: Backoff;

  constructor(options: ListWatchOptions<T>) {
    this.#options = options;
    this.#timings = { ...defaultTimings, ...options.timings };
    this.#backoff = new Backoff(this.#timings.backoff);
    this.#lookupBackoff = new Backoff(this.#timings.backoff);
    this.#objects = new ObjectSet(options.project);
    const { client, path, query, rows, onState = () => undefined } = options;
    const timings = this.#timings;
    this.#connection = new ConnectionState(onState);
    this.#reader = new ResourceReader({
      client,
      path,
      query,
      timings,
      connection: this.#connection,
    });
    this.#spread = new ListSpread(timings);
    this.#table = new TableWatch(rows !== undefined, timings);
    this.#lookups = new RowLookups({
      delays: this.#timings.lookups,
      onFound: (object) => this.#put(object),
      onGone: (name) => this.#remove({ metadata: { name } }),
    });
  }

  /** Starts. A second start without a stop changes nothing. */
  start(): void {
    if (this.#run) return;
    this.#run = new AbortController();
    void this.#follow(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort(new Error('stopped'));
    this.#run = undefined;
  }

  get state(): ListWatchState {
    return this.#connection.now;
  }

  async #follow(run: AbortSignal): Promise<void> {
    while (!run.aborted) {
      const delayMs = await this.#turn(run).catch((error: unknown) => this.#judge(run, error));
      if (delayMs > 0) await this.#timings.sleep(delayMs, run);
    }
  }

  /** One list if it is due, and one watch to its end; the wait before the next, in milliseconds. */
  async #turn(run: AbortSignal): Promise<number> {
    const { relistMs, relistRarelyMs } = this.#timings;
    const listHoldsMs = this.state.form === 'rows' ? relistRarelyMs : relistMs;
    if (performance.now() - this.#listedAt > listHoldsMs) this.#isListDue = true;
    if (this.#isListDue) await this.#list(run);
    const startedAt = performance.now();
    await this.#watch(run);
    const livedMs = performance.now() - startedAt;
    if (livedMs < this.#timings.shortLivedMs) {
      throw new Error(`watch was closed after ${Math.round(livedMs)} ms`);
    }
    return 0;
  }

  /** Notes a failure and its consequence for the next turn. Returns how long to wait for that. */
  #judge(run: AbortSignal, error: unknown): number {
    if (run.aborted) return 0;
    const api = error instanceof KubernetesApiError ? error : undefined;
    // It makes no Tables, and does not say what else it would send.
    if (api?.status === 406) this.#table.giveUp();
    // A server restored from a backup never comes as far again.
    this.#tooNew = api?.isTooNew ? this.#tooNew + 1 : 0;
    const isBeyond = this.#tooNew >= this.#timings.tooNewLimit;
    // Events of an outage may be gone when the server is back. It is well then, and a list that is
    // due needs no further delay but that of all agents, which are told so at once. A watch that expires
    // right after a list is trouble.
    const listedMs = performance.now() - this.#listedAt;
    const isBack =
      api?.isExpired === true && !this.#isListDue && listedMs > this.#timings.shortLivedMs;
    if (isBack) this.#spread.renew();
    // A list that asked for at least this version would be refused for the same reason again.
    if (isBeyond || (api?.isExpired && this.#isListDue)) this.#version = '';
    if (isBeyond || api?.isExpired || error instanceof InvalidResponseError) this.#isListDue = true;
    this.#connection.noteFailure(messageOf(error), api?.status);
    // Many agents may be told the same time to wait, and would all come when it is over.
    const isAsked = api?.retryAfterMs !== undefined;
    return (isBack && !isAsked ? 0 : this.#backoff.next()) + (api?.retryAfterMs ?? 0);
  }

  async #list(run: AbortSignal): Promise<void> {
    const { listMs, pageSize } = this.#timings;
    const ask = () => this.#reader.read(run, { limit: '1' }, listMs, () => undefined);
    await this.#spread.wait(run, ask, this.#objects.values.size);
    const found = new ObjectSet(this.#options.project);
    this.#options.rows?.reset();
    const limit = String(pageSize);
    // Never goes back in time, however old the state of this server is. The server answers from memory, whole, which costs etcd
    // nothing: the first list whatever its limit is, later ones without a limit alone (client-go, reflector.go). All agents ask
    // at once where API servers are upgraded.
    const newer = { resourceVersion: this.#version, resourceVersionMatch: 'NotOlderThan' };
    const isFirst = this.#version === '0';
    let query: Record<string, string> =
      this.#version === '' ? { limit } : isFirst ? { limit, ...newer } : newer;
    let items = 0;
    for (;;) {
      const before = items;
      const reader = new ListReader((item) => {
        if (++items > mostObjects) throw tooLong();
        this.#options.rows?.learn(item);
        found.put(item);
      });
      await this.#reader.read(run, query, listMs, (chunk) => {
        // Where it does not come whole in time, the next attempt asks for pages.
        this.#version = '';
        reader.push(chunk);
      });
      const { resourceVersion, continueToken } = reader.end();
      query = { limit, continue: continueToken };
      if (continueToken !== '' && items === before)
        throw new InvalidResponseError('expected the rest of a list, got a page without objects');
      if (continueToken !== '') continue;
      this.#version = resourceVersion;
      break;
    }
    const isChanged = this.state.lists === 0 || !this.#objects.hasSame(found);
    this.#objects = found;
    this.#lookups.clear();
    this.#isListDue = false;
    this.#listedAt = performance.now();
    this.#connection.noteList();
    if (isChanged) this.#options.onObjects(found.values);
  }

  async #watch(run: AbortSignal): Promise<void> {
    const seconds = this.#timings.watchSeconds();
    const isTable = this.#table.begin() && this.#options.rows?.suffices === true;
    if (!isTable) this.#connection.noteForm('objects');
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.#version,
      timeoutSeconds: String(seconds),
      ...(isTable && { includeObject: 'None' }),
    };
    const lines = new LineSplitter(maxEventBytes);
    const totalMs = seconds * 1000 + this.#timings.overtimeMs;
    const ended = new AbortController();
    const signal = AbortSignal.any([run, ended.signal]);
    let timer: NodeJS.Timeout | undefined;
    let lookingUp: Promise<void> | undefined;
    const plan = (): void => {
      const { dueMs } = this.#lookups;
      if (dueMs === Infinity || lookingUp || signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(lookUp, Math.max(dueMs - performance.now(), 0));
    };
    const lookUp = (): void => {
      lookingUp = this.#lookUpDue(signal)
        // The watch tells all the same what else changes.
        .catch((error: unknown) => {
          if (signal.aborted) return;
          this.#connection.noteFailure(messageOf(error), undefined);
          this.#lookups.waitUntil(performance.now() + this.#lookupBackoff.next());
        })
        .then(() => {
          lookingUp = undefined;
          plan();
        });
    };
    let receivedBytes = 0;
    const onChunk = (chunk: Buffer): void => {
      receivedBytes += chunk.length;
      let isChanged = false;
      try {
        for (const line of lines.push(chunk)) {
          if (this.#take(line)) isChanged = true;
        }
      } finally {
        if (isChanged) this.#options.onObjects(this.#objects.values);
      }
      this.#connection.noteWell();
      plan();
    };
    // Those of a watch that has ended.
    plan();
    const startedAt = performance.now();
    try {
      await this.#reader.read(signal, query, totalMs, onChunk, isTable ? asTable : undefined);
    } finally {
      clearTimeout(timer);
      ended.abort(new Error('the watch has ended'));
      this.#table.end();
      // A server that was restored from a backup accepts a watch at a version that it has not reached, and says nothing until then, not
      // even a bookmark. It refuses a list of that version.
      const isSilent =
        receivedBytes === 0 && performance.now() - startedAt >= this.#timings.silenceMs;
      if (isSilent && !run.aborted) this.#isListDue = true;
      await lookingUp;
    }
    if (lines.isWithinLine)
      throw new InvalidResponseError('expected whole events, got a part of one');
  }

  /** Takes one event; true where it changed what is known. */
  #take(line: string): boolean {
    const { type, object, version } = readEvent(line);
    this.#version = version;
    this.#tooNew = 0;
    const { rows } = this.#options;
    const isRow = rows !== undefined && isTable(object);
    this.#connection.noteForm(isRow ? 'rows' : 'objects');
    if (type === 'BOOKMARK') return false;
    try {
      if (isRow) return this.#takeRow(rows, type, object);
      return type === 'DELETED' ? this.#remove(object) : this.#put(object);
    } catch (error) {
      // The version is past it already, so only a list can tell what it said.
      this.#isListDue = true;
      if (isRow) this.#table.giveUp();
      throw error;
    }
  }

  #takeRow(rows: RowJudge<T>, type: WatchEvent['type'], table: unknown): boolean {
    const verdict = rows.judge(table, (name) => this.#objects.values.get(name));
    if (verdict === undefined) {
      throw new InvalidResponseError(
        'expected a row with a name and a cell for each column, got something else',
      );
    }
    if (type === 'DELETED') return this.#remove({ metadata: { name: verdict.name } });
    this.#table.noteRow(verdict.lookUp);
    if (verdict.object) {
      this.#lookups.remove(verdict.name);
      return this.#objects.put(verdict.object);
    }
    this.#lookups.add(verdict, this.#objects.values.size, performance.now());
    return false;
  }

  #put(object: unknown): boolean {
    this.#options.rows?.learn(object);
    return this.#objects.put(object);
  }

  #remove(object: unknown): boolean {
    const name = readKey(object);
    this.#lookups.remove(name);
    this.#options.rows?.forget(name);
    return this.#objects.remove(object);
  }

  /** Looks up the objects whose rows call for it, if any do. */
  async #lookUpDue(signal: AbortSignal): Promise<void> {
    if (this.#lookups.dueMs === Infinity) return;
    const isChanged = await this.#lookups.run((query) => this.#lookUp(signal, query));
    if (isChanged) this.#options.onObjects(this.#objects.values);
  }

  /** Lists the objects that a query selects, as they are now or later. */
  async #lookUp(signal: AbortSignal, query: Readonly<Record<string, string>>): Promise<Found[]> {
    const found: Found[] = [];
    const reader = new ListReader((object) => found.push({ name: readKey(object), object }));
    const newer = { resourceVersion: this.#version, resourceVersionMatch: 'NotOlderThan' };
    await this.#reader.read(signal, { ...query, ...newer }, this.#timings.listMs, (chunk) =>
      reader.push(chunk),
    );
    reader.end();
    return found;
  }
}
