import { statSync } from 'node:fs';
import { formatAgentAddress, type AgentAddress } from './address.js';

/** Why there was no good answer. */
export type ApiErrorKind =
  | 'absent'
  | 'no-socket'
  | 'refused'
  | 'denied'
  | 'timeout'
  | 'gone'
  | 'invalid-response'
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

/** An error for an answer that is not from an agent. */
export function invalidResponse(where: string, got: string): ApiError {
  return new ApiError(
    'invalid-response',
    `${where} is no meshprobe agent: expected its JSON, got ${got}`,
  );
}

/** Describes an error of Node's HTTP client. */
export function connectionError(error: Error, address: AgentAddress): ApiError {
  const where = formatAgentAddress(address);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const of = (kind: ApiErrorKind, words: string): ApiError =>
    new ApiError(kind, `cannot reach the agent on ${where}: ${words}`, { cause: error });
  if (code.startsWith('HPE_')) return invalidResponse(where, 'something that is not HTTP');
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return of('absent', 'there is no such socket');
    case 'ECONNREFUSED':
      // The kernel gives the same error for a file that is not a socket.
      return isOtherFile(address)
        ? of('no-socket', 'it is no socket')
        : of('refused', 'nothing listens there');
    case 'EACCES':
    case 'EPERM':
      return of('denied', 'permission denied');
    case 'ECONNRESET':
    case 'EPIPE':
      return of('gone', 'it closed the connection before it had answered');
    default:
      return of('gone', error.message);
  }
}

function isOtherFile(address: AgentAddress): boolean {
  if (address.kind !== 'unix') return false;
  return statSync(address.path, { throwIfNoEntry: false })?.isSocket() === false;
}
