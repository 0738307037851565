import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.js';
import { describeWait } from '../discovery/source-reporter.js';
import type { SourceState } from '../discovery/source-state.js';
import type { Problems } from '../platform/problems.js';
import { escapeControls } from '../platform/format-value.js';
import type { Health, Report } from './health.js';

/** What a node source waits for. */
export interface Waiting {
  /** In words that stay the same: `the API server at https://...`. */
  readonly waitingFor: string;
  /** Since when, on the agent's monotonic clock. */
  readonly sinceMs: number;
  readonly lastError?: string | undefined;
}

export interface NodeSourceHealthOptions {
  readonly health: Health;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly problems: Problems;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** A wait is logged from here on, then at twice the time each, up to the longest. */
const firstLogMs = 5000;
const longestLogMs = 300_000;
const problem = 'node-list';

/**
 * The node source's place in the self check. It waits from the start; a source that knows more
 * (what for, since when, the last error) reports it, and says when it got a list. A wait has no
 * end: it is shown, logged now and then, and listed among the agent's problems. Once a list is
 * there, losing the source leaves it so. A source that tells its own state shows and logs it itself.
 */
export class NodeSourceHealth {
  readonly #options: NodeSourceHealthOptions;
  readonly #report: (report: Report) => void;
  readonly #told = new Map<string, SourceState>();
  #waiting: Waiting | undefined;
  #received: { readonly count: number; readonly at: number } | undefined;
  #since: { readonly ms: number; readonly text: string } | undefined;
  #logMs = 0;
  #logGapMs = firstLogMs;

  constructor(options: NodeSourceHealthOptions) {
    this.#options = options;
    this.#report = options.health.register({
      name: 'node-source',
      timeoutMs: Infinity,
      allowedFailures: 0,
      live: false,
      ready: true,
    });
    this.waiting({ waitingFor: 'the first node list', sinceMs: options.clock.nowMs() });
  }

  get isListed(): boolean {
    return this.#received !== undefined;
  }

  /** Something is waited for; told again where the error changed. */
  waiting(waiting: Waiting): void {
    if (this.#waiting === undefined) {
      this.#logGapMs = firstLogMs;
      this.#logMs = waiting.sinceMs + firstLogMs;
    }
    this.#waiting = waiting;
    this.#publish();
  }

  /** How a source is doing that depends on others; there may be several. */
  onSourceState(state: SourceState): void {
    this.#told.set(state.source, state);
    this.#waiting = undefined;
    this.#publish();
  }

  /** A whole node list came. */
  onNodeList(count: number): void {
    this.#received = { count, at: this.#epochMs() };
    this.#waiting = undefined;
    this.#publish();
  }

  /** Logs a wait that lasts, when it is time to. */
  tick(): void {
    const { clock, logger } = this.#options;
    const nowMs = clock.nowMs();
    if (this.#waiting === undefined || nowMs < this.#logMs) return;
    const { waitingFor, sinceMs, lastError } = this.#waiting;
    this.#logMs = nowMs + this.#logGapMs;
    this.#logGapMs = Math.min(this.#logGapMs * 2, longestLogMs);
    const waitedS = Math.round((nowMs - sinceMs) / 1000);
    logger.warn({ waitingFor, waitedS, lastError }, 'still waiting for the node source');
  }

  #publish(): void {
    const { problems } = this.#options;
    const wait = this.#waiting && this.#waitText(this.#waiting);
    if (wait === undefined) problems.clear(problem);
    else problems.set(problem, wait, 'error');
    const waits = [...this.#told.values()].filter(({ since }) => since !== undefined);
    const texts = [...waits.map((state) => escapeControls(describeWait(state))), wait ?? []].flat();
    if (this.#received === undefined) {
      this.#report({ ok: false, message: texts.join('; ') });
      return;
    }
    const { count, at } = this.#received;
    const list = `${count} nodes, listed ${new Date(at).toISOString()}`;
    this.#report({ ok: true, message: [list, ...texts].join('; '), note: texts.length > 0 });
  }

  #waitText({ waitingFor, sinceMs, lastError }: Waiting): string {
    // Kept, so that the same wait has the same words though the two clocks drift.
    if (this.#since?.ms !== sinceMs) {
      const at = this.#epochMs() - (this.#options.clock.nowMs() - sinceMs);
      this.#since = { ms: sinceMs, text: new Date(at).toISOString() };
    }
    const error = lastError === undefined ? '' : `; last error: ${escapeControls(lastError)}`;
    return `waiting for ${escapeControls(waitingFor)} since ${this.#since.text}${error}`;
  }

  #epochMs(): number {
    return (this.#options.now ?? Date.now)();
  }
}
