import type { NoticePhase } from '../model/row-notices.js';
import type { Receiver } from './definition/receiver.js';
import type { Ledger } from './ledger.js';
import type { WatchedFinding, WatchedFindings } from './watched-findings.js';

/** One message that some agent is to send to a receiver. */
export interface DueNotice {
  readonly event: 'opened' | 'changed' | 'closed' | 'storm';
  /** The id of the finding, or that of a storm. */
  readonly key: string;
  /** What the receiver knows when it has taken it. */
  readonly phase: NoticePhase;
  /** Since when it is due and this agent could tell it, in monotonic milliseconds. */
  readonly dueMs: number;
  /** How often this agent tried to tell it. */
  readonly tries: number;
  /** Undefined for a storm. */
  readonly watched: WatchedFinding | undefined;
  /** Of a storm: its findings that are open, worst first. */
  readonly members: readonly WatchedFinding[];
  /** Of a storm: how many findings it has had, as this agent saw it. */
  readonly memberCount: number;
}

/** Something that is to be told, before it is known since when. */
export type News = Omit<DueNotice, 'dueMs' | 'tries'>;

/** What is to be looked at to say what is due. */
export interface DueInput {
  readonly receiver: Receiver;
  readonly watched: WatchedFindings;
  readonly ledger: Ledger;
  /** Whether this agent sees enough of the cluster to tell it. */
  readonly mayTell: (news: News) => boolean;
  readonly nowMs: number;
}

/** What tells that a finding is open. */
export function openNews(watched: WatchedFinding): News {
  const { id: key, severity: phase } = watched.finding;
  return { event: 'opened', key, phase, watched, members: [], memberCount: 0 };
}
