import type { Logger } from 'pino';
import type { ApiClient, ApiWrite } from '../discovery/kubernetes/api-client.js';
import { Backoff } from '../discovery/kubernetes/backoff.js';
import { KubernetesApiError } from '../discovery/kubernetes/kubernetes-api-error.js';
import type { Clock } from '../platform/clock.js';
import { messageOf } from '../platform/errors.js';
import { escapeControls } from '../platform/format-value.js';
import type { Problems } from '../platform/problems.js';
import { applyCondition, createEvent, readEvent, patchSeries } from './api-writes.js';
import { ConditionReconciler, type ConditionWrite } from './condition-reconciler.js';
import { EventReconciler, type EventWrite } from './event-reconciler.js';
import { nextSeries } from './event-series.js';
import { NewNodes } from './new-nodes.js';
import type { Situation } from './situation.js';
import { WriteBudget } from './write-budget.js';

export interface StatusWriterOptions {
  readonly client: Pick<ApiClient, 'write' | 'close'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'setFor' | 'clear'>;
  readonly writesConditions: boolean;
  readonly writesEvents: boolean;
  readonly situation: () => Situation;
  /** How long a write may take; left out, ten seconds. */
  readonly deadlineMs?: number;
}

/** An agent checks this often, and writes once at most each time. */
const tickMs = 1000;
const defaultDeadlineMs = 10_000;
/** A right that is missing is asked for again after this time. */
const forbiddenMs = 300_000;
/** A problem ends by itself where nothing is left to write. */
const shownMs = 600_000;
/** A node has gone, or changed in the same moment. The next list tells. */
const goneStatuses: ReadonlySet<number> = new Set([404, 409]);
const noAnswer = { status: 0, retryAfterMs: undefined };

const wroteCondition = 'wrote the condition of a node';

type Kind = 'conditions' | 'events';

const whats: Readonly<Record<Kind, string>> = {
  conditions: 'the conditions of nodes cannot be written',
  events: 'Events cannot be written',
};
/** Something else than a missing right may forbid it too, such as an admission webhook. */
const rights: Readonly<Record<Kind, string>> = {
  conditions: 'it takes the right to patch nodes/status (--kubernetes-conditions)',
  events:
    'it takes the right to create and patch events of events.k8s.io in the namespace default (--kubernetes-events)',
};

/**
 * Writes onto the nodes of the own cluster what the mesh finds, one write at a time. What is to be
 * written is looked up anew before each write, so an API server that was away gets the end state.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #conditions: ConditionReconciler;
  readonly #events: EventReconciler;
  readonly #newNodes = new NewNodes();
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  readonly #pausedUntilMs: Record<Kind, number> = { conditions: -Infinity, events: -Infinity };
  #cancelTimer: (() => void) | undefined;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    const budget = new WriteBudget();
    this.#conditions = new ConditionReconciler(budget);
    this.#events = new EventReconciler(budget);
    const now = () => options.clock.nowMs();
    this.#backoff = new Backoff({ firstMs: 1000, maxMs: 15_000, healthyMs: 60_000, now });
    this.#schedule();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#stop.abort(new Error('stopped'));
    this.#options.client.close();
  }

  #schedule(): void {
    if (this.#stop.signal.aborted) return;
    this.#cancelTimer = this.#options.clock.after(tickMs, () => {
      void this.#tick().finally(() => this.#schedule());
    });
  }

  async #tick(): Promise<void> {
    const { writesConditions, writesEvents, clock, logger } = this.#options;
    const situation = this.#options.situation();
    // Both look each time, because they remember what they see. Nobody sees who writes Events, so
    // these take their part of the budget first.
    const event = writesEvents ? this.#events.next(situation) : undefined;
    const condition = writesConditions ? this.#conditions.next(situation) : undefined;
    const first = writesConditions ? this.#newNodes.next(situation) : undefined;
    const { nowMs } = situation;
    if (condition && nowMs >= this.#pausedUntilMs.conditions) {
      const { node, condition: written } = condition;
      const outcome = await this.#try('conditions', async () => {
        await this.#send(applyCondition(condition));
      });
      if (outcome === 'refused') this.#conditions.noteRefused(condition, clock.nowMs());
      if (outcome !== 'done') return;
      this.#conditions.noteWritten(condition, clock.nowMs());
      const { status, reason } = written;
      logger.info({ node, status, reason }, wroteCondition);
    } else if (event && nowMs >= this.#pausedUntilMs.events) {
      const { node, reason, name } = event;
      const outcome = await this.#try('events', async () => {
        const isWritten = await this.#sendEvent(event, situation.localName);
        if (isWritten) logger.info({ node, reason, event: name }, 'wrote an Event');
      });
      // An Event that is refused as it is will be refused again.
      if (outcome !== 'failed') this.#events.noteWritten(event);
    } else if (first && nowMs >= this.#pausedUntilMs.conditions) {
      await this.#writeFirst(first, situation);
    }
  }

  /** Writes the first condition of a node, if half of the others reach it. */
  async #writeFirst(first: ConditionWrite, situation: Situation): Promise<void> {
    const { clock, logger } = this.#options;
    const { node } = first;
    if (!(await situation.isReachedByHalf(node))) {
      this.#newNodes.notePassedOver(node, clock.nowMs());
      return;
    }
    const outcome = await this.#try('conditions', async () => {
      await this.#send(applyCondition(first));
    });
    if (outcome === 'refused') this.#newNodes.noteRefused(first, clock.nowMs());
    if (outcome !== 'done') return;
    this.#newNodes.noteWritten(first, clock.nowMs());
    logger.info({ node, status: 'True', reason: first.condition.reason }, wroteCondition);
  }

  async #send(write: ApiWrite): Promise<string> {
    const { client, deadlineMs = defaultDeadlineMs } = this.#options;
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await client.write(write, AbortSignal.any([this.#stop.signal, deadline]));
    } catch (error) {
      // Node says only that it was aborted.
      if (!deadline.aborted) throw error;
      throw new Error(`no answer within ${deadlineMs / 1000} s`, { cause: error });
    }
  }

  /**
   * Creates an Event. One that is there already is counted up, unless another agent has done it.
   * Returns whether anything was written.
   */
  async #sendEvent(event: EventWrite, localName: string): Promise<boolean> {
    try {
      await this.#send(createEvent(event, localName));
      return true;
    } catch (error) {
      if (!(error instanceof KubernetesApiError) || error.status !== 409) throw error;
    }
    const series = nextSeries(await this.#send(readEvent(event.name)), event.atMs);
    if (series) await this.#send(patchSeries(event.name, series));
    return series !== undefined;
  }

  /** Returns how it went; tells of what went wrong. */
  async #try(kind: Kind, write: () => Promise<void>): Promise<'done' | 'refused' | 'failed'> {
    const { problems, clock } = this.#options;
    try {
      await write();
      problems.clear(`kubernetes-status:${kind}`);
      return 'done';
    } catch (error) {
      if (this.#stop.signal.aborted) return 'failed';
      const { status, retryAfterMs } = error instanceof KubernetesApiError ? error : noAnswer;
      if (kind === 'conditions' && goneStatuses.has(status)) return 'refused';
      this.#tell(kind, status, escapeControls(messageOf(error)));
      if (status === 400 || status === 422) return 'refused';
      const delayMs = status === 403 ? forbiddenMs : this.#backoff.next();
      this.#pausedUntilMs[kind] = clock.nowMs() + Math.max(delayMs, retryAfterMs ?? 0);
      return 'failed';
    }
  }

  #tell(kind: Kind, status: number, reason: string): void {
    const { problems, logger } = this.#options;
    const why = `${whats[kind]}: ${reason}`;
    const text = status === 403 ? `${why}; ${rights[kind]}` : why;
    const isNew = problems.setFor(`kubernetes-status:${kind}`, text, shownMs);
    if (isNew) logger.warn(text);
  }
}
