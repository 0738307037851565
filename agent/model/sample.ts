import type { FailureKind, NotSentReason } from './failure.js';

/** Layer 3 by an ICMP echo, layer 7 by `GET /hello`. */
export type Protocol = 'icmp' | 'http';

export const protocols: readonly Protocol[] = ['icmp', 'http'];

/**
 * The result of one probe. A failed probe is a value. `sentMs` is monotonic and orders samples;
 * `at` is epoch milliseconds of the wall clock, for people.
 */
export type Sample = { readonly sentMs: number; readonly at: number } & Outcome;

/**
 * How a probe ended. `not-sent` is trouble of this machine (no buffer, no file descriptor) and says
 * nothing about the peer. A tainted outcome is doubtful: the process did not get the processor
 * meanwhile, or the clock was stepped.
 */
export type Outcome =
  | {
      readonly outcome: 'reply';
      readonly rttNs: number;
      readonly tainted?: boolean;
      /** What the reply had left of its TTL or hop limit, 1 to 255, where the ICMP engine can tell. */
      readonly ttl?: number;
      readonly http?: HttpTimings;
    }
  | Fault;

/** The phases of one HTTP exchange, in nanoseconds from its start, and what the kernel saw of it. */
export interface HttpTimings {
  readonly connectNs: number;
  readonly firstByteNs: number;
  /**
   * The round trip of the handshake as the kernel measured it (TCP_INFO), if the kernel tells it.
   */
  readonly tcpRttNs?: number;
  /**
   * How often the SYN was sent again. If it was, the RTT is that of the retransmission timer, not
   * of the path.
   */
  readonly synRetransmissions?: number;
}

/** How a probe without an answer ended. */
export type Fault =
  | {
      readonly outcome: 'failure';
      readonly kind: FailureKind;
      /** The text of the failure. */
      readonly detail: string;
      readonly tainted?: boolean;
    }
  | { readonly outcome: 'not-sent'; readonly reason: NotSentReason; readonly detail: string };

/** The text of a failure without an answer in time. Cilium uses the same. */
export const timedOut = 'Connection timed out';

/** The failure of a probe without an answer in time. */
export const timeout = { outcome: 'failure', kind: 'timeout', detail: timedOut } as const;
