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

type Fault =
  | { readonly outcome: 'failure'; readonly detail: string; readonly tainted?: boolean }
  | { readonly outcome: 'not-sent'; readonly detail: string };

/** The words of a failure that had no answer in time; Cilium's own. */
export const timedOut = 'Connection timed out';

const localCodes = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN']);

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EHOSTDOWN: 'host is down',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted (a local firewall?)',
  EINVAL: 'invalid argument',
  ETIMEDOUT: timedOut,
  EPIPE: 'connection closed by peer',
};

/** The outcome that a system error code stands for. */
export function failureOf(code: string | undefined, message: string): Fault {
  if (code !== undefined && localCodes.has(code)) return { outcome: 'not-sent', detail: code };
  return { outcome: 'failure', detail: (code && messages[code]) ?? message };
}
