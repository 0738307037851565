import type { Finding } from '../../api/schema/v1/findings.js';
import type { NoticeEntry } from '../../api/schema/v1/notices.js';
import type { NoticePhase } from '../model/row-notices.js';
import type { Clock } from '../platform/clock.js';
import type { DueNotice, News } from './due-notice.js';
import type { Notice, NoticeEvent } from './notice.js';
import type { Delivery } from './sending/post.js';

const mostEntries = 100;

/** What another agent told of a receiver: it knows a finding, or a storm, in another phase. */
export interface HeardNotice {
  readonly receiver: string;
  /** Undefined for a storm. */
  readonly finding: Finding | undefined;
  readonly before: NoticePhase | undefined;
  readonly phase: NoticePhase;
  readonly ageMs: number;
}

/** What was sent lately, and what other agents told of theirs. */
export class NoticeLog {
  readonly #clock: Pick<Clock, 'wallMs'>;
  #entries: NoticeEntry[] = [];

  constructor(clock: Pick<Clock, 'wallMs'>) {
    this.#clock = clock;
  }

  /** Takes what another agent told a receiver. */
  addHeard({ receiver, finding, before, phase, ageMs }: HeardNotice): void {
    const event = finding ? eventOf(before, phase) : 'storm';
    const facts = finding ? about(finding) : { text: heardStormText(phase) };
    this.#add({ at: this.#at(ageMs), receiver, event, ...facts, outcome: 'told' });
  }

  /** Takes what nobody will tell a receiver any more. */
  addGivenUp(receiver: string, { event, ...rest }: News): void {
    this.#add({ at: this.#at(), receiver, event, ...factsOf(rest), outcome: 'given-up' });
  }

  /**
   * Takes what this agent sent, and what became of it.
   * @param by the node of this agent
   */
  addSent(
    receiver: string,
    due: DueNotice,
    { event, id }: Notice,
    { isTaken, answer }: Delivery,
    by: string,
  ): void {
    const outcome = isTaken ? 'taken' : 'failed';
    this.#add({ at: this.#at(), receiver, event, id, ...factsOf(due), outcome, answer, by });
  }

  /** The newest first, at most 100. */
  newest(): NoticeEntry[] {
    return [...this.#entries].reverse();
  }

  #at(agoMs = 0): string {
    return new Date(this.#clock.wallMs() - agoMs).toISOString();
  }

  #add(entry: NoticeEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > mostEntries) this.#entries.shift();
  }
}

function factsOf(due: Pick<News, 'watched' | 'members' | 'memberCount'>) {
  return due.watched ? about(due.watched.finding) : { text: stormText(due) };
}

function about({ id: finding, kind, severity, text }: Finding) {
  return { finding, kind, severity, text };
}

/** What a receiver was told, from what it knew before and knows now. */
function eventOf(before: NoticePhase | undefined, now: NoticePhase): NoticeEvent {
  if (now === 'closed') return 'closed';
  return before === undefined || before === 'closed' || before === now ? 'opened' : 'changed';
}

/** Rows do not tell how many findings another agent counted. */
function heardStormText(phase: NoticePhase): string {
  return phase === 'closed' ? 'all findings of a storm have closed' : 'several findings at once';
}

function stormText({ members, memberCount }: Pick<DueNotice, 'members' | 'memberCount'>): string {
  if (members.length === 0) return `all ${memberCount} findings of a storm have closed`;
  return `${memberCount} more findings at once`;
}
