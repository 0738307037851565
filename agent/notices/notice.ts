import type { Finding } from '../../api/schema/v1/findings.js';
import type { NoticeEvent } from '../../api/schema/v1/notices.js';

export type { NoticeEvent };

/** Several findings that are told in one message. */
export interface Storm {
  /** How many it has had. */
  readonly findings: number;
  /** How many of them are open. */
  readonly open: number;
  /** The sentences of the worst ones, at most 16. */
  readonly texts: readonly string[];
}

/** What a receiver is told. */
export interface Notice {
  /** The same for the same news, whichever agent tells it, so that a receiver can drop what comes twice. */
  readonly id: string;
  readonly event: NoticeEvent;
  /** The cluster of the agents. */
  readonly cluster: string;
  /** The worst one of a storm; absent where a storm is over. */
  readonly finding?: Finding;
  /**
   * As the finding was before, where its kind, subject or severity was another: an Alertmanager may know it by those. It is in
   * no message.
   */
  readonly earlier?: readonly Finding[];
  readonly storm?: Storm;
  /** Of `closed`, and of a storm that is over: how long it took. */
  readonly durationSeconds?: number;
  /** How often the finding opened, where that was more than once. */
  readonly openings?: number;
  readonly verdict: string;
  /** RFC 3339. */
  readonly at: string;
  /** The node whose agent tells it. */
  readonly by: string;
}
