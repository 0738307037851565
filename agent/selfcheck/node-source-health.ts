import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.js';
import { describeWait, type SourceState } from '../discovery/source-state.js';
import type { Node } from '../model/node.js';
import { describeWithoutAddress } from '../model/without-address.js';
import type { ProblemCause } from '../platform/problem-codes.js';
import type { Problems } from '../platform/problems.js';
import { escapeControls } from '../platform/format-value.js';
import type { Health, Report } from './health.js';

export interface NodeSourceHealthOptions {
  readonly health: Health;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Problems;
}

/** A wait without an error is logged after this time. Every start has short waits. */
const firstLogMs = 5000;
/** The time between two log lines about one wait. It doubles each time. */
const firstLogGapMs = 60_000;
const longestLogGapMs = 300_000;

interface Source {
  readonly state: SourceState;
  /** When the list was last known to be true, on the monotonic clock; undefined while all is well. */
  readonly lastTrueMs: number | undefined;
  /** When the next line is due, on the monotonic clock. */
  logMs: number;
  logGapMs: number;
  isLogged: boolean;
}

/**
 * The state of the node sources in the self check. A wait is among the agent's problems, is logged
 * more and more rarely, and is shown beside the list. It may last for ever. Once there is a list,
 * losing a source leaves the agent ready.
 */
export class NodeSourceHealth {
  readonly #options: NodeSourceHealthOptions;
  readonly #report: (report: Report) => void;
  readonly #sources = new Map<string, Source>();
  readonly #startedMs: number;
  #received: { readonly count: number; readonly at: number } | undefined;

  constructor(options: NodeSourceHealthOptions) {
    this.#options = options;
    this.#startedMs = options.clock.nowMs();
    this.#report = options.health.register({
      name: 'node-source',
      timeoutMs: Infinity,
      allowedFailures: 0,
      live: false,
      ready: true,
    });
    this.#publish();
  }

  /** A whole node list came. */
  get isListed(): boolean {
    return this.#received !== undefined;
  }

  /**
   * Seconds since the list in use was last known to be true: 0 while every source is well. Without
   * a list, seconds since the agent started to wait for one.
   */
  get listAgeSeconds(): number {
    const nowMs = this.#options.clock.nowMs();
    const lastTrueMs = [...this.#sources.values()].flatMap(({ lastTrueMs: ms }) => ms ?? []);
    if (lastTrueMs.length === 0) return this.#received ? 0 : (nowMs - this.#startedMs) / 1000;
    return Math.max((nowMs - Math.min(...lastTrueMs)) / 1000, 0);
  }

  /** The state of one source; there may be several. */
  onSourceState(state: SourceState): void {
    if (state.since === undefined) this.#noteWell(state);
    else this.#noteWait(state);
    this.#publish();
  }

  /** A whole node list came, from all sources together. */
  onNodeList(nodes: readonly Node[]): void {
    const at = this.#options.clock.wallMs();
    this.#received = { count: nodes.length, at };
    this.#noteNodesWithoutAddress(nodes);
    this.#publish();
  }

  /** Logs the waits that are due. */
  tick(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const source of this.#sources.values()) if (nowMs >= source.logMs) this.#log(source);
  }

  /** Nothing is expected of such a node, so no finding shows what is wrong. */
  #noteNodesWithoutAddress(nodes: readonly Node[]): void {
    const { problems } = this.#options;
    const text = describeWithoutAddress(nodes);
    if (text === undefined) problems.clear('no-address');
    else problems.set('no-address', text);
  }

  #noteWell(state: SourceState): void {
    const { problems, logger } = this.#options;
    problems.clear(causeOf(state));
    const isNews = this.#sources.get(state.source)?.isLogged === true;
    if (isNews) logger.info({ source: state.source }, 'node source is well again');
    this.#sources.set(state.source, {
      state,
      lastTrueMs: undefined,
      logMs: Infinity,
      logGapMs: firstLogGapMs,
      isLogged: false,
    });
  }

  #noteWait(state: SourceState): void {
    const { clock, problems } = this.#options;
    problems.set(causeOf(state), escapeControls(describeWait(state)));
    const before = this.#sources.get(state.source);
    const isNew = before?.state.since === undefined;
    const source: Source = {
      state,
      lastTrueMs: this.#lastTrueMs(state, before),
      logMs: isNew ? clock.nowMs() + firstLogMs : before.logMs,
      logGapMs: isNew ? firstLogGapMs : before.logGapMs,
      isLogged: before?.isLogged ?? false,
    };
    this.#sources.set(state.source, source);
    if (state.lastError !== undefined && !source.isLogged) this.#log(source);
  }

  /** A source tells wall time. It is read once, because the clock may be set while the source waits. */
  #lastTrueMs({ since, listAt }: SourceState, before: Source | undefined): number {
    const { clock } = this.#options;
    const known = before?.state;
    const isSame = known?.since === since && known?.listAt === listAt;
    if (isSame && before?.lastTrueMs !== undefined) return before.lastTrueMs;
    const wallMs = clock.wallMs();
    return clock.nowMs() - Math.max(wallMs - (listAt ?? since ?? wallMs), 0);
  }

  #log(source: Source): void {
    const { clock, logger } = this.#options;
    const { waitsFor, since = 0, lastError: reason } = source.state;
    source.isLogged = true;
    source.logMs = clock.nowMs() + source.logGapMs;
    source.logGapMs = Math.min(source.logGapMs * 2, longestLogGapMs);
    const facts = { waitsFor, since: new Date(since).toISOString(), reason };
    logger.warn(facts, 'waiting for the node source');
  }

  #publish(): void {
    const waits = [...this.#sources.values()]
      .filter(({ state }) => state.since !== undefined)
      .map(({ state }) => escapeControls(describeWait(state)));
    if (this.#received === undefined) {
      const message = waits.length > 0 ? waits.join('; ') : 'waiting for the first node list';
      this.#report({ ok: false, message });
      return;
    }
    const { count, at } = this.#received;
    const nodes = count === 1 ? 'node' : 'nodes';
    const list = `${count} ${nodes}, listed ${new Date(at).toISOString()}`;
    const forms = [...this.#sources.values()].flatMap(({ state }) => formOf(state));
    this.#report({
      ok: true,
      message: [list, ...forms, ...waits].join('; '),
      note: waits.length > 0,
    });
  }
}

function formOf({ source, form }: SourceState): string[] {
  if (form === undefined) return [];
  const what = form === 'rows' ? 'table rows' : 'whole objects';
  return [escapeControls(`changes from the ${source} come as ${what}`)];
}

function causeOf({ source }: SourceState): ProblemCause {
  return `node-source ${source}`;
}
