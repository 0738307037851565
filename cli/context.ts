import { createClient, type Client } from '../api/client/client.js';
import { parseAgentAddress } from '../api/client/address.js';
import { parseDurationMs } from '../api/duration.js';
import { UsageError } from './errors.js';

/** An output of the program. The optional fields describe a terminal. */
export interface Output {
  /** Returns false if the reader is slow: it is better to wait for `drain` then. */
  write(text: string): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
}

/** What the program gets from its process. Tests pass their own. */
export interface ProgramIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
}

export interface GlobalOptions {
  readonly host?: string;
  readonly timeout?: string;
}

const defaultAddress = 'unix:///var/run/meshprobe/health.sock';

/**
 * Returns a client for the agent that the flags, MESHPROBE_SOCK or the default name, in that order.
 * @throws UsageError if the address or the timeout is invalid
 */
export function clientFor({ host, timeout = '30s' }: GlobalOptions, io: ProgramIo): Client {
  const fromEnvironment = io.env['MESHPROBE_SOCK'];
  const given = host ?? (fromEnvironment === '' ? undefined : fromEnvironment);
  const timeoutMs = parseDurationMs(timeout);
  if (timeoutMs === undefined || timeoutMs < 1 || timeoutMs > 86_400_000) {
    throw new UsageError(
      `--timeout: expected a duration such as 500ms, 30s or 2m, got ${JSON.stringify(timeout)}`,
    );
  }
  try {
    const address = parseAgentAddress(given ?? defaultAddress);
    return createClient({ address, timeoutMs, signal: io.signal });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${host === undefined ? 'MESHPROBE_SOCK' : '--host'}: ${error.message}`);
  }
}
