import { isIP } from 'node:net';
import { checkServerIdentity, type SecureContext, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { FailureKind } from '../../model/failure.js';
import type { Fault } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import type { Secure } from '../../platform/http-request.js';

export interface TlsTarget {
  /** The name or the address that the certificate is to be of. */
  readonly name: string;
  /** Undefined: those that Node knows sign certificates. */
  readonly context: SecureContext | undefined;
  readonly takesAnyCertificate: boolean;
  readonly onCertificate: (endsAt: number | undefined) => void;
}

/** Why TLS with a target failed. */
export class TlsError extends Error {
  override readonly name = 'TlsError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/** Puts TLS on a connection, and checks the certificate before anybody sends a byte. It fails with a `TlsError`. */
export function secureTarget({
  name,
  context,
  takesAnyCertificate,
  onCertificate,
}: TlsTarget): Secure {
  const connect = buildConnector({
    // The certificate is checked below: its end is told where the check fails, too.
    rejectUnauthorized: false,
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    ...(context && { secureContext: context }),
    maxCachedSessions: 0,
    keepAlive: false,
    timeout: 0,
  });
  return (socket, callback) => {
    const fail = (fault: Fault): void => callback(new TlsError(fault), null);
    // No server name goes with an address (RFC 6066, 3).
    const servername = isIP(name) === 0 ? { servername: name } : {};
    const to = { hostname: name, protocol: 'https:', port: '', httpSocket: socket, ...servername };
    connect(to, (error, connected) => {
      if (error) {
        fail(faultOfTls(error));
        return;
      }
      const secured = connected as TLSSocket;
      onCertificate(endOf(secured));
      // Its type says Error; it is the code of one.
      const problem = secured.authorizationError as unknown;
      const code = typeof problem === 'string' ? problem : messageOf(problem);
      const isTrusted = secured.authorized || takesAnyCertificate;
      // A socket that is destroyed within this callback crashes the process: OpenSSL still uses it.
      setImmediate(() => {
        if (isTrusted) callback(null, secured);
        else fail(faultOfCertificate(code));
      });
    });
  };
}

function endOf(socket: TLSSocket): number | undefined {
  const { valid_to: text } = socket.getPeerCertificate() as { readonly valid_to?: string };
  const endsAt = text === undefined ? NaN : Date.parse(text);
  return endsAt >= 0 ? endsAt : undefined;
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

/** Why TLS failed, in the handshake or after it. */
export function faultOfTls(error: Error): Fault {
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
