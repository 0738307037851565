import type { FailureKind, NotSentReason } from './failure.js';

/** Layer 3 by an ICMP echo, layer 7 by `GET /hello`. */
export type Protocol = 'icmp' | 'http';

export const protocols: readonly Protocol[] = ['icmp', 'http'];

/**
 * What one probe gave. A failed probe is a value. `sentMs` is monotonic and orders samples; `at` is
 * the wall clock's epoch milliseconds, for people.
 */
export type Sample = { readonly sentMs: number; readonly at: number } & Outcome;

/**
 * What became of a probe. `not-sent` is this machine's own trouble (no buffer, no file descriptor)
 * and says nothing of the peer. A tainted outcome was taken while this process was kept from
 * running, or across a step of the clock: its RTT, or that it failed, may be our own doing.
 */
export type Outcome =
  | {
      readonly outcome: 'reply';
      readonly rttNs: number;
      readonly tainted?: boolean;
      readonly http?: HttpTimings;
    }
  | Fault;

/** The phases of one HTTP exchange, in nanoseconds from its start, and what the kernel saw of it. */
export interface HttpTimings {
  readonly connectNs: number;
  readonly firstByteNs: number;
  /** The handshake's own round trip as the kernel measured it (TCP_INFO), where it tells. */
  readonly tcpRttNs?: number;
  /** How often the SYN was sent again; such an RTT is the retransmission timer's, not the path's. */
  readonly synRetransmissions?: number;
}

/** What became of a probe that was not answered. */
export type Fault =
  | {
      readonly outcome: 'failure';
      readonly kind: FailureKind;
      /** The failure's words. */
      readonly detail: string;
      readonly tainted?: boolean;
    }
  | { readonly outcome: 'not-sent'; readonly reason: NotSentReason; readonly detail: string };

/** The words of a failure that had no answer in time; Cilium's own. */
export const timedOut = 'Connection timed out';

/** The failure of a probe that had no answer in time. */
export const timeout = { outcome: 'failure', kind: 'timeout', detail: timedOut } as const;
