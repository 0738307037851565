import type { FailureKind, NotSentReason } from './failure.js';
import { timedOut, type Fault } from './sample.js';

const shortages: ReadonlyMap<string, NotSentReason> = new Map([
  ['EMFILE', 'no-descriptor'],
  ['ENFILE', 'no-descriptor'],
  ['ENOBUFS', 'no-buffer'],
  ['EAGAIN', 'no-buffer'],
  ['ENOMEM', 'no-memory'],
]);

const failures: ReadonlyMap<string, readonly [FailureKind, string]> = new Map([
  ['ECONNREFUSED', ['refused', 'connection refused']],
  ['ECONNRESET', ['reset', 'connection reset by peer']],
  ['EHOSTUNREACH', ['unreachable', 'no route to host']],
  ['ENETUNREACH', ['unreachable', 'network is unreachable']],
  ['EHOSTDOWN', ['unreachable', 'host is down']],
  ['ENETDOWN', ['local', 'network is down']],
  ['EADDRNOTAVAIL', ['local', 'cannot assign requested address']],
  ['EACCES', ['local', 'permission denied']],
  ['EPERM', ['local', 'operation not permitted (a local firewall?)']],
  ['EINVAL', ['local', 'invalid argument']],
  ['ETIMEDOUT', ['timeout', timedOut]],
  ['EPIPE', ['reset', 'connection closed by peer']],
]);

/** The outcome that a system error code stands for; the message tells it where the code is not known. */
export function outcomeOfError(code: string | undefined, message: string): Fault {
  const reason = shortages.get(code ?? '');
  if (code !== undefined && reason !== undefined) {
    return { outcome: 'not-sent', reason, detail: code };
  }
  const [kind, detail] = failures.get(code ?? '') ?? ['protocol', message];
  return { outcome: 'failure', kind, detail };
}
