import { createClient, type Client } from '../api/client/client.js';
import { formatAgentAddress, parseAgentAddress } from '../api/client/address.js';
import type { ClientOptions } from '../api/client/exchange.js';
import type { AgentAccess } from '../api/client/open-request.js';
import { parseDurationMs } from '../api/duration.js';
import { readCaFile, readTokenFile } from './credentials.js';
import { UsageError } from './errors.js';
import { escapeText } from './view/escape.js';
import { showProgress } from './view/progress.js';

/** An output of the program. The optional fields describe a terminal. */
export interface Output {
  /** Returns false if the reader is slow: it is better to wait for `drain` then. */
  write(text: string | Uint8Array): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
}

/** The size of a terminal; undefined where there is none, or where it says 0 because it does not know. */
export function sizeOf({ rows, columns }: Output): {
  readonly rows: number | undefined;
  readonly columns: number | undefined;
} {
  return { rows: rows || undefined, columns: columns || undefined };
}

/** What the program gets from its process. Tests pass their own. */
export interface ProgramIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The standard input, opened when a command reads it. Without it there is nothing to read. */
  readonly stdin?: () => AsyncIterable<string | Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
}

export interface GlobalOptions {
  readonly host?: string;
  readonly timeout?: string;
  readonly tokenFile?: string;
  readonly ca?: string;
}

const defaultAddress = 'unix:///var/run/meshprobe/health.sock';
const maxTimeoutMs = 86_400_000;
/** An agent that answers within this time is not said to be waited for. */
const quickMs = 2000;

/**
 * Returns a client for the agent that the flags, the environment or the default name, in that
 * order.
 * @throws UsageError if an option is invalid, or a file that it names cannot be used
 */
export function clientFor(options: GlobalOptions, io: ProgramIo): Client {
  const agent = clientOptionsFor(options, io);
  const what = `Waiting for ${escapeText(formatAgentAddress(agent.address))}`;
  const onAsk = (answer: Promise<unknown>): void => {
    showProgress(io.stderr, what, answer, quickMs).catch(() => undefined);
  };
  return createClient({ ...agent, onAsk });
}

/**
 * What makes such a client.
 * @throws UsageError if an option is invalid, or a file that it names cannot be used
 */
export function clientOptionsFor(options: GlobalOptions, io: ProgramIo): ClientOptions {
  const timeoutMs = readTimeout(options.timeout ?? '30s');
  return { ...readAccess(options, io), timeoutMs, signal: io.signal };
}

function readTimeout(text: string): number {
  const timeoutMs = parseDurationMs(text);
  if (timeoutMs !== undefined && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs) return timeoutMs;
  const expected =
    timeoutMs === undefined ? 'a duration such as 500ms, 30s or 2m' : 'a duration from 1ms to 24h';
  throw new UsageError(
    `--timeout: expected ${expected}, got ${JSON.stringify(text.slice(0, 100))}`,
  );
}

function readAccess({ host, tokenFile, ca }: GlobalOptions, io: ProgramIo): AgentAccess {
  const fromEnvironment = (name: string) => io.env[name] || undefined;
  const address =
    host === undefined
      ? readAddress(fromEnvironment('MESHPROBE_SOCK') ?? defaultAddress, 'MESHPROBE_SOCK')
      : readAddress(host, '--host');
  if (ca !== undefined && address.kind !== 'https') {
    throw new UsageError(
      `--ca: expected only with an https:// address, got ${formatAgentAddress(address)}`,
    );
  }
  const tokenPath = tokenFile ?? fromEnvironment('MESHPROBE_TOKEN_FILE');
  // The file permissions of the unix socket say who may use it.
  const hasToken = tokenPath !== undefined && address.kind !== 'unix';
  const origin = tokenFile === undefined ? 'MESHPROBE_TOKEN_FILE' : '--token-file';
  return {
    address,
    ...(hasToken && { token: readTokenFile(tokenPath, origin) }),
    ...(ca !== undefined && { ca: readCaFile(ca) }),
  };
}

function readAddress(text: string, origin: string): AgentAccess['address'] {
  try {
    return parseAgentAddress(text);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${origin}: ${error.message}`);
    throw error;
  }
}
