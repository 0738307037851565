import type { Logger } from 'pino';
import type { Finding } from '../../api/schema/v1/findings.js';
import type { Notices as NoticesBody } from '../../api/schema/v1/notices.js';
import type { RowReceiver } from '../model/row-notices.js';
import type { Clock } from '../platform/clock.js';
import type { Problems } from '../platform/problems.js';
import { hasQuorum } from '../turns/quorum.js';
import { Trust } from '../turns/trust.js';
import type { TurnSituation } from '../turns/turn-situation.js';
import { isIdKnown } from './announced-hour.js';
import type { Receiver } from './definition/receiver.js';
import { digestOf, stormKey } from './digest.js';
import type { DueInput, DueNotice, News } from './due-notice.js';
import { DueNotices } from './due-notices.js';
import { Ledger } from './ledger.js';
import { NoticeCounter } from './notice-counts.js';
import { NoticeLog } from './notice-log.js';
import { noticeOf } from './notice-of.js';
import type { Notice } from './notice.js';
import { RenewalTurns, renewMs, type RenewalSituation } from './renewal-turns.js';
import type { Delivery } from './sending/post.js';
import { newestMs } from './storms.js';
import { Turns } from './turns.js';
import { troubleMs, WatchedFindings, type OpenNow } from './watched-findings.js';

/** All that decides what is told, as this agent sees it at one moment. */
export interface NoticeSituation extends RenewalSituation {
  /** Worst first. */
  readonly open: readonly OpenNow[];
  /** Whether a finding that is gone is told by another one, which stands for many. */
  readonly isStillPart: (finding: Finding) => boolean;
}

export interface NoticesOptions {
  readonly cluster: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'setFor' | 'clear'>;
  readonly situation: () => NoticeSituation;
  /** Who is told, as the notify file says now. */
  readonly receivers: () => Promise<readonly Receiver[]>;
  /** The cluster in one word. */
  readonly verdict: () => Promise<string>;
  /** Sends a notice. It never rejects. */
  readonly send: (notice: Notice, receiver: Receiver, signal: AbortSignal) => Promise<Delivery>;
  /** Tells an Alertmanager again which findings are open. It never rejects. */
  readonly renew: (
    open: readonly Notice[],
    receiver: Receiver,
    signal: AbortSignal,
  ) => Promise<Delivery>;
  readonly askForRowOf: (peer: string) => void;
  /** Called when the own row is to be told anew. */
  readonly onRowChange: () => void;
}

const tickMs = 1000;
/** A problem ends by itself where the receiver is not told anything any more. */
const shownMs = 600_000;

/**
 * Tells receivers of findings, one message each from the whole cluster. Each agent compares what is open with what the
 * receivers were told, by whomever, and does what is missing when it is its turn.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #ledger: Ledger;
  readonly #watched = new WatchedFindings();
  readonly #log: NoticeLog;
  readonly #turns: Turns;
  readonly #trust = new Trust(isWhole);
  readonly #due = new Map<string, DueNotices>();
  readonly #waiting = new Map<string, number>();
  readonly #sending = new Set<string>();
  readonly #stop = new AbortController();
  readonly #counter = new NoticeCounter();
  readonly #renewals = new RenewalTurns();
  #receivers: readonly Receiver[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
    this.#log = new NoticeLog(options.clock);
    this.#ledger = new Ledger(options.onRowChange);
    this.#turns = new Turns(options.askForRowOf);
    this.#schedule();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#stop.abort();
  }

  /** What the own row tells. */
  row(): readonly RowReceiver[] {
    const names = this.#receivers.map(({ name }) => name);
    return this.#ledger.row(names, this.#options.clock.nowMs());
  }

  /**
   * Takes what another agent's row tells. Agents of other clusters tell receivers of their own, whatever the names of these are.
   * @param observer the node of that agent, `cluster/name`
   * @param bodyAgeMs how long ago it was written
   */
  hear(observer: string, sent: readonly RowReceiver[], bodyAgeMs: number): void {
    const { clock, cluster } = this.#options;
    if (!observer.startsWith(`${cluster}/`)) return;
    const nowMs = clock.nowMs();
    const news = this.#ledger.merge(sent, nowMs - bodyAgeMs, nowMs);
    if (news.length === 0) return;
    const names = new Map(this.#receivers.map(({ name }) => [digestOf(name), name]));
    const byKey = new Map(
      this.#watched.all().map(({ finding }) => [digestOf(finding.id), finding] as const),
    );
    for (const { receiver: digest, key, before } of news) {
      const [receiver, finding] = [names.get(digest), byKey.get(key)];
      const isStorm = key === digestOf(stormKey);
      if (receiver === undefined || (!finding && !isStorm)) continue;
      const known = this.#ledger.sent(receiver, finding?.id ?? stormKey);
      if (!known) continue;
      const ageMs = nowMs - known.atMs;
      this.#log.addHeard({ receiver, finding, before, phase: known.phase, ageMs });
    }
  }

  /** Learns who is told, as the notify file says now. */
  async readReceivers(): Promise<void> {
    this.#receivers = await this.#options.receivers();
    this.#counter.retain(this.#receivers);
  }

  /** The body of `GET /v1/notices`, with the receivers that were read last. */
  body(): NoticesBody {
    return {
      at: new Date(this.#options.clock.wallMs()).toISOString(),
      receivers: this.#receivers.map(({ name, type }) => ({
        name,
        type,
        failures: this.#ledger.attempt(name).failures,
        waiting: this.#waiting.get(name) ?? 0,
      })),
      notices: this.#log.newest(),
    };
  }

  /** What this agent sent to each receiver. */
  counts(): ReturnType<NoticeCounter['all']> {
    return this.#counter.all();
  }

  #schedule(): void {
    if (this.#stop.signal.aborted) return;
    this.#cancelTimer = this.#options.clock.after(tickMs, () => {
      void this.#tick().finally(() => this.#schedule());
    });
  }

  async #tick(): Promise<void> {
    await this.readReceivers();
    const situation = this.#options.situation();
    const { nowMs, open, isStillPart } = situation;
    this.#watched.note(open, isStillPart, situation);
    const ableMs = this.#trust.sinceMs(situation);
    const all = this.#watched.all();
    this.#ledger.expire([...all.map(({ finding }) => finding.id), stormKey], nowMs);
    for (const receiver of this.#receivers) {
      const input = this.#inputOf(receiver, situation, ableMs);
      const due = this.#dueOf(receiver).of(input);
      this.#waiting.set(receiver.name, due.length);
      this.#noteGivenUp(receiver);
      if (ableMs === undefined || this.#sending.has(receiver.name)) continue;
      void this.#renew(receiver, situation, input);
      const { failures } = this.#ledger.attempt(receiver.name);
      const first = nextOf(due.filter(input.mayTell), failures);
      if (!first || !this.#isTurn(receiver, first, ableMs, situation)) continue;
      if (!isIdKnown(this.#ledger, receiver.name, first, situation)) continue;
      this.#sending.add(receiver.name);
      void this.#send(receiver, first, situation).finally(() =>
        this.#sending.delete(receiver.name),
      );
    }
  }

  /** Tells an Alertmanager again what is open, where that is this agent's turn. */
  async #renew(receiver: Receiver, situation: NoticeSituation, input: DueInput): Promise<void> {
    const { name, type } = receiver;
    if (type !== 'alertmanager' || !this.#renewals.isTurn(name, situation)) return;
    const open = this.#dueOf(receiver).open(input);
    const { failures, atMs } = this.#ledger.attempt(name);
    const failedJustNow = failures > 0 && situation.nowMs - atMs < renewMs;
    if (open.length === 0 || failedJustNow) return;
    const notices = await Promise.all(open.map((one) => this.#noticeOf(one, receiver, situation)));
    const { isTaken, answer } = await this.#options.renew(notices, receiver, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    this.#counter.note(name, isTaken);
    // It says nothing of messages: those have tries of their own.
    if (!isTaken) this.#noteProblem(receiver, answer);
    else if (failures === 0) this.#options.problems.clear(`notices:${name}`);
  }

  #noteGivenUp({ name: receiver }: Receiver): void {
    for (const due of this.#due.get(receiver)?.takeGivenUp() ?? []) {
      this.#log.addGivenUp(receiver, due);
      const { event, key } = due;
      this.#options.logger.warn({ receiver, event, finding: key }, 'gave up telling a receiver');
    }
  }

  #dueOf({ name }: Receiver): DueNotices {
    const due = this.#due.get(name) ?? new DueNotices();
    this.#due.set(name, due);
    return due;
  }

  #inputOf(receiver: Receiver, situation: NoticeSituation, ableMs: number | undefined): DueInput {
    const { nowMs } = situation;
    const mayTell = (news: News): boolean =>
      ableMs !== undefined && isWhole(situation, news.watched && troubleMs(news.watched, nowMs));
    return { receiver, watched: this.#watched, ledger: this.#ledger, mayTell, nowMs };
  }

  #isTurn(
    { name: receiver }: Receiver,
    { dueMs }: DueNotice,
    ableMs: number,
    situation: NoticeSituation,
  ): boolean {
    const { away } = situation;
    return this.#turns.isTurn({ situation, ledger: this.#ledger, receiver, dueMs, ableMs, away });
  }

  async #send(receiver: Receiver, due: DueNotice, situation: NoticeSituation): Promise<void> {
    const { clock, logger, problems, send } = this.#options;
    const { name } = receiver;
    this.#ledger.begin(name, situation.nowMs);
    const notice = await this.#noticeOf(due, receiver, situation);
    const { isTaken, answer } = await send(notice, receiver, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    this.#counter.note(name, isTaken);
    this.#log.addSent(name, due, notice, { isTaken, answer }, situation.localName);
    if (isTaken) {
      const atMs =
        due.watched || due.phase === 'closed' ? clock.nowMs() : newestMs(due, situation.nowMs);
      this.#ledger.take(name, due.key, due.phase, { atMs, nowMs: clock.nowMs() });
      const { version = 0 } = this.#ledger.sent(name, due.key) ?? {};
      if (!due.watched) this.#dueOf(receiver).noteStorm(due, version);
      problems.clear(`notices:${name}`);
      logger.info({ receiver: name, event: notice.event, finding: due.key }, 'told a receiver');
      return;
    }
    this.#ledger.fail(name, clock.nowMs());
    this.#dueOf(receiver).noteFailed(due);
    this.#noteProblem(receiver, answer);
  }

  #noteProblem({ name, type }: Receiver, answer: string): void {
    const { logger, problems } = this.#options;
    const text = `the receiver ${name} (${type}) does not take notices: ${answer}`;
    if (problems.setFor(`notices:${name}`, text, shownMs)) logger.warn(text);
  }

  async #noticeOf(
    due: News,
    { name }: Receiver,
    { nowMs, wallMs, localName: by }: NoticeSituation,
  ): Promise<Notice> {
    const { cluster, verdict } = this.#options;
    const sent = this.#ledger.sent(name, due.key);
    const version = (sent?.version ?? 0) + 1;
    const frame = { cluster, verdict: await verdict(), by, nowMs, wallMs, version };
    return noticeOf(due, { ...frame, sent });
  }
}

/** Whether this agent sees enough of the cluster to tell of it. One that is alone in its cluster does. */
function isWhole(situation: TurnSituation, troubleMs?: number): boolean {
  return situation.others.length === 0 || hasQuorum(situation, troubleMs);
}

/**
 * Which message is tried now. A receiver may refuse one and take the others, so this agent takes one that it tried least
 * often, and after a failure each agent another one.
 */
function nextOf(due: readonly DueNotice[], failures: number): DueNotice | undefined {
  const fewest = Math.min(...due.map(({ tries }) => tries));
  const least = due.filter(({ tries }) => tries === fewest);
  return least[failures % least.length];
}
