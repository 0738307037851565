import { setImmediate as breathe } from 'node:timers/promises';
import { messageOf } from '../../platform/errors.js';
import type { ApiReader } from './api-client.js';
import { KubernetesApiError, InvalidResponseError } from './kubernetes-api-error.js';
import { Backoff } from './backoff.js';
import { withDeadlines } from '../deadline.js';
import { LineSplitter } from './line-splitter.js';
import { ListReader } from './list-reader.js';
import { defaultTimings, type ListWatchTimings } from './list-watch-timings.js';
import { ObjectSet } from './object-set.js';
import { readEvent } from './watch-event.js';

/** The state of the connection with the server. */
export interface ListWatchState {
  /** How many lists were read whole. */
  readonly lists: number;
  /** Epoch milliseconds when the server last said something; undefined before it ever did. */
  readonly heardAt: number | undefined;
  /** Epoch milliseconds since nothing works; undefined while all is well. */
  readonly failingSince: number | undefined;
  readonly lastError: string | undefined;
}

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
  /** All objects by `namespace/name`, after the first list and whenever a projection changed. */
  readonly onObjects: (objects: ReadonlyMap<string, T>) => void;
  /** Called when a list was read, when something failed, and when it works again. */
  readonly onState?: (state: ListWatchState) => void;
  readonly timings?: Partial<ListWatchTimings>;
}

const maxEventBytes = 16 << 20;

/** How long this may keep the event loop at a stretch. */
const longestTurnMs = 2;

/**
 * Follows one resource of an API server until it is stopped: it lists in pages, watches from there,
 * and goes on after any error, with growing delays. The known objects stay until the server has
 * sent a whole new list.
 */
export class ListWatch<T> {
  readonly #options: ListWatchOptions<T>;
  readonly #timings: ListWatchTimings;
  readonly #backoff: Backoff;
  /** Aborted by stop: what is still under way then ends silently. */
  #run: AbortController | undefined;
  #objects: ObjectSet<T>;
  /** 0, as in client-go: any version, which the server has in memory. Empty: the latest. */
  #version = '0';
  #isSpread = false;
  #isListDue = true;
  #listedAt = 0;
  #tooNew = 0;
  #state: ListWatchState = {
    lists: 0,
    heardAt: undefined,
    failingSince: undefined,
    lastError: undefined,
  };

  constructor(options: ListWatchOptions<T>) {
    this.#options = options;
    this.#timings = { ...defaultTimings, ...options.timings };
    this.#backoff = new Backoff(this.#timings.backoff);
    this.#objects = new ObjectSet(options.project);
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
    return this.#state;
  }

  async #follow(run: AbortSignal): Promise<void> {
    while (!run.aborted) {
      const delayMs = await this.#turn(run).catch((error: unknown) => this.#judge(run, error));
      if (delayMs > 0) await this.#timings.sleep(delayMs, run);
    }
  }

  /** One list if it is due, and one watch to its end; the wait before the next, in milliseconds. */
  async #turn(run: AbortSignal): Promise<number> {
    if (performance.now() - this.#listedAt > this.#timings.relistMs) this.#isListDue = true;
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
    // A server restored from a backup never comes as far again.
    this.#tooNew = api?.isTooNew ? this.#tooNew + 1 : 0;
    const isBeyond = this.#tooNew >= this.#timings.tooNewLimit;
    // Events of an outage may be gone when the server is back. It is well then, and a list that is
    // due needs no further delay. A watch that expires right after a list is trouble.
    const listedMs = performance.now() - this.#listedAt;
    const isBack =
      api?.isExpired === true && !this.#isListDue && listedMs > this.#timings.shortLivedMs;
    // A list that asked for at least this version would be refused for the same reason again.
    if (isBeyond || (api?.isExpired && this.#isListDue)) this.#version = '';
    if (isBeyond || api?.isExpired || error instanceof InvalidResponseError) this.#isListDue = true;
    this.#report({
      failingSince: this.#state.failingSince ?? Date.now(),
      lastError: messageOf(error),
    });
    return Math.max(isBack ? 0 : this.#backoff.next(), api?.retryAfterMs ?? 0);
  }

  /** Lets the lists of agents that start at once come one after the other. */
  async #spread(run: AbortSignal): Promise<void> {
    const { listMs, sleep, spread } = this.#timings;
    if (this.#isSpread || spread.factor === 0) return;
    const ask = () => this.#read(run, { limit: '1' }, listMs, () => undefined);
    // The first request also connects and authenticates, so its duration says nothing about the
    // server's load.
    await ask();
    const startedAt = performance.now();
    await ask();
    const busyMs = performance.now() - startedAt;
    this.#isSpread = true;
    await sleep(spread.random() * Math.min(busyMs * spread.factor, spread.maxMs), run);
  }

  async #list(run: AbortSignal): Promise<void> {
    await this.#spread(run);
    const found = new ObjectSet(this.#options.project);
    const limit = String(this.#timings.pageSize);
    // Never goes back in time, however old the state of this server is. The first list costs etcd
    // nothing: the server answers it from memory, whole, whatever its limit is.
    const newer = { resourceVersion: this.#version, resourceVersionMatch: 'NotOlderThan' };
    let query: Record<string, string> = this.#version === '' ? { limit } : { limit, ...newer };
    for (;;) {
      const reader = new ListReader((item) => void found.put(item));
      await this.#read(run, query, this.#timings.listMs, (chunk) => {
        // Where it does not come whole in time, the next attempt asks for pages.
        if (this.#version === '0') this.#version = '';
        reader.push(chunk);
      });
      const { resourceVersion, continueToken } = reader.end();
      query = { limit, continue: continueToken };
      if (continueToken !== '') continue;
      this.#version = resourceVersion;
      break;
    }
    const isChanged = this.#state.lists === 0 || !this.#objects.hasSame(found);
    this.#objects = found;
    this.#isListDue = false;
    this.#listedAt = performance.now();
    this.#report({ failingSince: undefined, lists: this.#state.lists + 1 });
    if (isChanged) this.#options.onObjects(found.values);
  }

  async #watch(run: AbortSignal): Promise<void> {
    const seconds = this.#timings.watchSeconds();
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.#version,
      timeoutSeconds: String(seconds),
    };
    const lines = new LineSplitter(maxEventBytes);
    const totalMs = seconds * 1000 + this.#timings.overtimeMs;
    await this.#read(run, query, totalMs, (chunk) => {
      let isChanged = false;
      try {
        for (const line of lines.push(chunk)) {
          if (this.#take(line)) isChanged = true;
        }
      } finally {
        if (isChanged) this.#options.onObjects(this.#objects.values);
      }
      this.#noteWell();
    });
    if (lines.isWithinLine)
      throw new InvalidResponseError('expected whole events, got a part of one');
  }

  /** Takes one event; true where it changed what is known. */
  #take(line: string): boolean {
    const { type, object, version } = readEvent(line);
    this.#version = version;
    this.#tooNew = 0;
    if (type === 'BOOKMARK') return false;
    return type === 'DELETED' ? this.#objects.remove(object) : this.#objects.put(object);
  }

  async #read(
    run: AbortSignal,
    query: Readonly<Record<string, string>>,
    totalMs: number,
    onChunk: (chunk: Buffer) => void,
  ): Promise<void> {
    const { client, path, query: ownQuery } = this.#options;
    const search = new URLSearchParams({ ...ownQuery, ...query }).toString();
    const { headersMs: firstMs, silenceMs } = this.#timings;
    await withDeadlines(run, { firstMs, silenceMs, totalMs }, async (signal, alive) => {
      const body = await client.get(`${path}?${search}`, signal);
      alive();
      // Nothing may be happening in the cluster: a watch that stays open is a good one, too.
      const settled = setTimeout(() => this.#noteWell(), this.#timings.shortLivedMs);
      let breathedAt = performance.now();
      try {
        for await (const chunk of body) {
          // Events that arrive after the stop are dropped.
          if (signal.aborted) return;
          alive();
          this.#state = { ...this.#state, heardAt: Date.now() };
          onChunk(chunk);
          // A fast server always has the next chunk ready, so probes must get their turn in
          // between.
          if (performance.now() - breathedAt > longestTurnMs) {
            await breathe();
            breathedAt = performance.now();
          }
        }
      } finally {
        clearTimeout(settled);
      }
    });
  }

  #noteWell(): void {
    if (this.#state.failingSince !== undefined) this.#report({ failingSince: undefined });
  }

  #report(change: Partial<ListWatchState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onState?.(this.#state);
  }
}
