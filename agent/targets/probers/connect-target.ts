import { connect as connectTcp, isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { FailureKind } from '../../model/failure.js';
import type { Fault } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../../probing/host-families.js';

export interface ConnectTarget {
  readonly ip: string;
  readonly port: number;
  /** Undefined: no TLS. */
  readonly tls: TlsTarget | undefined;
}

export interface TlsTarget {
  /** The name or the address that the certificate is to be of. */
  readonly name: string;
  /** Undefined: those that Node knows sign certificates. */
  readonly context: SecureContext | undefined;
  readonly takesAnyCertificate: boolean;
  onCertificate(endsAt: number | undefined): void;
}

/**
 * Connects, and checks the certificate before anybody sends a byte. It settles once; the socket is
 * destroyed where it fails.
 * @param hold is given the socket to destroy where the caller ends it, and again where TLS replaces it
 */
export function connectTarget(
  { ip, port, tls }: ConnectTarget,
  hold: (socket: Socket) => void,
  settle: (connected: Socket | Fault) => void,
): void {
  const socket = connectTcp({ host: ip, port, autoSelectFamily: false });
  hold(socket);
  let failedAtOnce = false;
  // Node makes the connect call in the next tick, and only a call that fails destroys the socket in it.
  process.nextTick(() => (failedAtOnce = socket.destroyed));
  const failed = (error: Error): void => {
    // Later errors have no receiver and must not end the process.
    socket.on('error', () => undefined);
    const code = codeOf(error);
    const lacksFamily = (): boolean => lacksFamilyOf(ip);
    settle(outcomeOfConnectError(code, messageOf(error), failedAtOnce, lacksFamily));
  };
  socket.once('error', failed);
  socket.once('connect', () => {
    socket.off('error', failed);
    if (tls) secure(socket, tls, hold, settle);
    else settle(socket);
  });
}

function secure(
  socket: Socket,
  { name, context, takesAnyCertificate, ...tls }: TlsTarget,
  hold: (socket: Socket) => void,
  settle: (connected: Socket | Fault) => void,
): void {
  // Its errors are those of the TLS socket, too.
  socket.on('error', () => undefined);
  const secured = connectTls({
    socket,
    // No server name goes with an address (RFC 6066, 3).
    servername: isIP(name) === 0 ? name : '',
    ALPNProtocols: ['http/1.1'],
    // The certificate is checked below: its end is told where the check fails, too.
    rejectUnauthorized: false,
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    ...(context && { secureContext: context }),
  });
  hold(secured);
  let hasEnded = false;
  const end = (connected: Socket | Fault): void => {
    if (hasEnded) return;
    hasEnded = true;
    settle(connected);
  };
  const failed = (error: Error): void => {
    secured.on('error', () => undefined);
    end(faultOfHandshake(error));
  };
  secured.once('error', failed);
  secured.once('secureConnect', () => {
    secured.off('error', failed);
    tls.onCertificate(endOf(secured));
    // Its type says Error; it is the code of one.
    const problem = secured.authorizationError as unknown;
    const code = typeof problem === 'string' ? problem : messageOf(problem);
    const isTrusted = secured.authorized || takesAnyCertificate;
    // A socket that is destroyed within this callback crashes the process: OpenSSL still uses it.
    setImmediate(() => end(isTrusted ? secured : faultOfCertificate(code)));
  });
}

function endOf(socket: TLSSocket): number | undefined {
  const { valid_to: text } = socket.getPeerCertificate() as { readonly valid_to?: string };
  const endsAt = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(endsAt) ? undefined : endsAt;
}

const certificateFaults: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls-name', 'the certificate is of another name'],
  HOSTNAME_MISMATCH: ['tls-name', 'the certificate is of another name'],
  CERT_HAS_EXPIRED: ['tls-expired', 'the certificate has expired'],
  CERT_NOT_YET_VALID: ['tls-expired', 'the certificate is not valid yet'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls-untrusted', 'the certificate is signed by itself'],
};

function faultOfCertificate(code: string): Fault {
  const [kind, detail] = certificateFaults[code] ?? [
    'tls-untrusted',
    `nobody who is trusted signed the certificate (${code})`,
  ];
  return { outcome: 'failure', kind, detail };
}

function faultOfHandshake(error: Error): Fault {
  const code = codeOf(error);
  // OpenSSL's own messages name its sources and the thread.
  if (code === undefined || code === 'EPROTO' || code.startsWith('ERR_')) {
    return { outcome: 'failure', kind: 'protocol', detail: `TLS fails: ${reasonOf(error, code)}` };
  }
  return outcomeOfConnectError(code, code, false, () => false);
}

function reasonOf(error: Error, code: string | undefined): string {
  const { reason } = error as { readonly reason?: unknown };
  return typeof reason === 'string' && reason.length < 80 ? reason : (code ?? 'no reason');
}
