/** Layer 3 by an ICMP echo, layer 7 by `GET /hello`. */
export type Protocol = 'icmp' | 'http';

export const protocols: readonly Protocol[] = ['icmp', 'http'];

/**
 * What one probe gave. A failed probe is a value. `sentMs` is monotonic and orders samples; `at` is
 * the wall clock's epoch milliseconds, for people. `not-sent` is this machine's own trouble (no
 * buffer, no file descriptor) and says nothing of the peer.
 */
export type Sample = { readonly sentMs: number; readonly at: number } & Outcome;

/** What became of a probe. */
export type Outcome = { readonly outcome: 'reply'; readonly rttNs: number } | Fault;

type Fault =
  | { readonly outcome: 'failure'; readonly detail: string }
  | { readonly outcome: 'not-sent'; readonly detail: string };

/** The words of a failure that had no answer in time; Cilium's own. */
export const timedOut = 'Connection timed out';

const localCodes = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN']);

const words: Readonly<Record<string, string>> = {
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
  return { outcome: 'failure', detail: (code && words[code]) ?? message };
}
