import { statSync } from 'node:fs';
import { formatAgentAddress, type AgentAddress } from './address.js';

/** Why there was no good answer. */
export type ApiErrorKind =
  | 'absent'
  | 'absent-host'
  | 'no-socket'
  | 'refused'
  | 'refused-port'
  | 'denied'
  | 'timeout'
  | 'gone'
  | 'invalid-response'
  | 'untrusted'
  | 'out-of-date'
  | 'no-tls'
  | 'no-token'
  | 'wrong-token'
  | 'read-only'
  | 'status'
  | 'cancelled';

/** The agent could not be asked, or gave no valid answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** The HTTP status and the message of the agent, if it answered with an error. */
  readonly statusCode: number | undefined;
  readonly serverMessage: string | undefined;

  constructor(
    kind: ApiErrorKind,
    message: string,
    options: ErrorOptions & { readonly statusCode?: number; readonly words?: string } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.statusCode = options.statusCode;
    this.serverMessage = options.words;
  }
}

/** Whether a call needs the agent's unix socket, and was made over TCP. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'read-only';
}

/** Whether the agent answered that it has no node of that name. */
export function isUnknownNode(error: unknown): error is ApiError {
  return error instanceof ApiError && error.serverMessage?.startsWith('there is no node') === true;
}

/** Whether the agent answered that it has no target of that name. */
export function isUnknownTarget(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.serverMessage?.startsWith('there is no target') === true
  );
}

/** Whether the agent answered that it has no zone of that name. */
export function isUnknownZone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.serverMessage?.startsWith('there is no zone') === true;
}

/** An error for an answer that is not from an agent. */
export function invalidResponse(where: string, got: string): ApiError {
  return new ApiError(
    'invalid-response',
    `${where} is no meshprobe agent: expected its JSON, got ${got}`,
  );
}

/** An error for an answer that begins and does not end: its agent, or a proxy before it, has gone meanwhile. */
export function cutMidway(address: AgentAddress, options?: ErrorOptions): ApiError {
  const where = formatAgentAddress(address);
  const words = `cannot reach the agent on ${where}: it closed the connection midway`;
  return new ApiError('gone', words, options);
}

/** Describes an error of Node's HTTP client while it reads an answer. */
export function answerError(error: Error, address: AgentAddress): ApiError {
  const isCut = 'code' in error && isClosed(error.code);
  return isCut ? cutMidway(address, { cause: error }) : connectionError(error, address);
}

/** Describes an error of Node's HTTP client before an answer has begun. */
export function connectionError(error: Error, address: AgentAddress): ApiError {
  const where = formatAgentAddress(address);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const of = (kind: ApiErrorKind, words: string): ApiError =>
    new ApiError(kind, `cannot reach the agent on ${where}: ${words}`, { cause: error });
  if (code.startsWith('HPE_')) return invalidResponse(where, 'something that is not HTTP');
  const distrust = address.kind === 'https' ? distrustText(code) : undefined;
  if (distrust !== undefined) {
    const isOutOfDate = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
    return of(isOutOfDate ? 'out-of-date' : 'untrusted', distrust);
  }
  if (isClosed(code)) return of('gone', 'it closed the connection before it had answered');
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return of('absent', 'there is no such socket');
    case 'ECONNREFUSED':
      // The kernel gives the same error for a file that is not a socket.
      return isOtherFile(address)
        ? of('no-socket', 'it is no socket')
        : of(address.kind === 'unix' ? 'refused' : 'refused-port', 'nothing listens there');
    case 'EACCES':
    case 'EPERM':
      return of('denied', 'permission denied');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return of('absent-host', 'there is no such host');
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return of('no-tls', 'it does not speak TLS');
    default:
      return of('gone', error.message);
  }
}

function isClosed(code: unknown): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Why the certificate of a TLS server is not trusted; undefined for any other error. */
function distrustText(code: string): string | undefined {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired';
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for another name';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'its certificate is of a CA that is not trusted';
    default:
      return code.startsWith('CERT_') ? `its certificate is not valid (${code})` : undefined;
  }
}

function isOtherFile(address: AgentAddress): boolean {
  if (address.kind !== 'unix') return false;
  return statSync(address.path, { throwIfNoEntry: false })?.isSocket() === false;
}
