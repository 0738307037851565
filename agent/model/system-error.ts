import type { FailureKind, NotSentReason } from './failure.js';
import { timedOut, type Fault } from './sample.js';

/** Error codes that say what this host has run out of. */
const shortages: ReadonlyMap<string, NotSentReason> = new Map([
  ['EMFILE', 'no-descriptor'],
  ['ENFILE', 'no-descriptor'],
  ['ENOBUFS', 'no-buffer'],
  ['EAGAIN', 'no-buffer'],
  ['ENOMEM', 'no-memory'],
  ['EAFNOSUPPORT', 'no-family'],
]);

const noAddress = 'no address of its own to send from';

const failures: ReadonlyMap<string, readonly [FailureKind, string]> = new Map([
  ['ECONNREFUSED', ['refused', 'connection refused']],
  ['ECONNRESET', ['reset', 'connection reset by peer']],
  ['EPIPE', ['reset', 'connection closed by peer']],
  ['ETIMEDOUT', ['timeout', timedOut]],
  ['EHOSTUNREACH', ['unreachable', 'no route to host']],
  ['ENETUNREACH', ['unreachable', 'network is unreachable']],
  ['EHOSTDOWN', ['unreachable', 'host is down']],
  ['ENETDOWN', ['local', 'network is down']],
  ['EADDRNOTAVAIL', ['local', noAddress]],
  ['EACCES', ['local', 'permission denied (a route or a firewall of its own?)']],
  ['EPERM', ['local', 'operation not permitted (a firewall of its own?)']],
  ['EINVAL', ['local', 'invalid argument (a blackhole route?)']],
]);

/** This host has no IPv6, or no IPv4. */
export const noFamily: Fault = {
  outcome: 'not-sent',
  reason: 'no-family',
  detail: 'this host lacks that address family',
};

const localWords = 'this host cannot send: ';

/** All texts for system errors whose codes are known here. */
export const systemErrorTexts: readonly string[] = [...failures.values()].flatMap(([kind, text]) =>
  kind === 'local'
    ? [localWords + text]
    : kind === 'unreachable'
      ? [text, localWords + text]
      : [text],
);

/**
 * How a probe ended whose packet this host's kernel did not take, from the error's code.
 * @param lacksFamily whether this host has no address of that family at all
 */
export function outcomeOfSendError(code: string, lacksFamily: () => boolean): Fault {
  if (code === 'EADDRNOTAVAIL' && lacksFamily()) return noFamily;
  return shortageOf(code) ?? localFailure(failures.get(code)?.[1] ?? code);
}

/**
 * How a probe ended whose connection failed, from the error's code. The message is used if the code
 * is not known. An error that `connect` returned at once is this host's own: nothing was sent.
 * @param lacksFamily whether this host has no address of that family at all
 */
export function outcomeOfConnectError(
  code: string | undefined,
  message: string,
  wasAtOnce: boolean,
  lacksFamily: () => boolean,
): Fault {
  if (code === undefined) return { outcome: 'failure', kind: 'protocol', detail: message };
  if (code === 'EADDRNOTAVAIL' && lacksFamily()) return noFamily;
  // Every local port towards that address is in use, or waits until it may be used again. A socket that is bound to an own
  // address hears of it as EADDRINUSE (bind(2)).
  if (code === 'EADDRNOTAVAIL' || code === 'EADDRINUSE')
    return { outcome: 'not-sent', reason: 'no-port', detail: code };
  const shortage = shortageOf(code);
  if (shortage) return shortage;
  const [kind, detail] = failures.get(code) ?? (['protocol', message] as const);
  const isLocal = kind === 'local' || (kind === 'unreachable' && wasAtOnce);
  return isLocal ? localFailure(detail) : { outcome: 'failure', kind, detail };
}

/** This host has no address of that family any more, though its node is listed with one. */
export const lostFamily = (): Fault => localFailure(noAddress);

/** The failure of a path that does not work because of this host. */
export function localFailure(words: string): Fault {
  return { outcome: 'failure', kind: 'local', detail: localWords + words };
}

function shortageOf(code: string): Fault | undefined {
  const reason = shortages.get(code);
  if (reason === undefined) return undefined;
  return reason === 'no-family' ? noFamily : { outcome: 'not-sent', reason, detail: code };
}
