import type { ApiError, ApiErrorKind } from '../api/client/api-error.js';
import { escapeText } from './view/escape.js';

/** A wrong flag or argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output could not be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** The text of a caught value, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const hints: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  absent:
    'Is meshprobe-agent running on this node? If its socket is elsewhere, name it with --host or MESHPROBE_SOCK.',
  'no-socket': 'Name the socket of meshprobe-agent with --host or MESHPROBE_SOCK.',
  refused: 'The agent that made this socket is gone: is meshprobe-agent running on this node?',
  'refused-port':
    'Is meshprobe-agent running there, and does it serve this port (--api-listen of the agent)?',
  denied:
    "The socket is for its owner and group only: run as root or as a member of the socket's group (--socket-group of the agent).",
  timeout:
    'Is the agent stuck or stopped? A longer --timeout may help, because a probe of many nodes takes longer.',
  gone: 'The agent may be stopping or starting: try again, and look at its log.',
  'absent-host': 'Name the address of an agent with --host or MESHPROBE_SOCK.',
  untrusted:
    'Name a file with the certificate of its CA with --ca, and the agent by the name in its certificate.',
  'out-of-date': 'Is the clock of this host right? If it is, the server needs a new certificate.',
  'no-tls': 'An agent itself speaks plain HTTP: is tcp://host:port meant?',
  'no-token': 'Name a file that holds the token with --token-file or MESHPROBE_TOKEN_FILE.',
  'wrong-token':
    'Is the file that --token-file or MESHPROBE_TOKEN_FILE names that of this agent (its --api-token-file)?',
  'invalid-response': 'Is --host or MESHPROBE_SOCK the socket of another program?',
};

/** Returns the error in printable form, and a hint for the user on a second line. */
export function describeApiError(error: ApiError): string {
  const hint = hints[error.kind];
  // The message contains text from the agent, so its line breaks are escaped.
  const message = escapeText(error.message);
  return hint === undefined ? message : `${message}\n${hint}`;
}
