import type { PathTestBegin, PathTestLine, PathTestName } from '../../api/schema/v1/path-tests.js';
import type { Path } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import { messageOf } from '../platform/errors.js';
import type { Libc } from '../platform/libc.js';
import { testFlows } from './flows/flow-test.js';
import { testMtu } from './mtu/mtu-test.js';
import { traceByEcho } from './trace/echo-trace.js';
import { traceByTcp } from './trace/tcp-trace.js';

/** The protocols by which each test can be made; the first is the usual one. */
export const testProtocols: Readonly<Record<PathTestName, readonly Protocol[]>> = {
  trace: ['icmp', 'http'],
  mtu: ['icmp'],
  flows: ['http'],
};

export interface PathTestOptions {
  readonly test: PathTestName;
  readonly path: Path;
  readonly protocol: Protocol;
  /** The port at which all nodes answer. */
  readonly probePort: number;
  /** Of a trace by HTTP: the flow to trace; left out, any. */
  readonly sourcePort?: number | undefined;
  /** Loads the kernel's sockets. */
  readonly loadLibc: () => Libc;
  readonly signal: AbortSignal;
}

/**
 * Tests one path and yields what is found as it comes. What keeps it from going on is the last line.
 * @throws AbortError if the signal is aborted
 */
export async function* testPath(
  options: PathTestOptions,
): AsyncGenerator<PathTestLine, void, undefined> {
  const { test, path, protocol, signal } = options;
  const { node, plane, ip: address } = path;
  yield { type: 'begin', test, node, plane, protocol, address } satisfies PathTestBegin;
  try {
    yield* linesOf(options);
  } catch (error) {
    if (signal.aborted) throw error;
    yield { type: 'error', text: messageOf(error) };
  }
}

function linesOf(options: PathTestOptions): AsyncIterable<PathTestLine> {
  const { test, path, protocol, probePort: port, sourcePort, loadLibc, signal } = options;
  const { ip } = path;
  switch (test) {
    case 'trace':
      return protocol === 'icmp'
        ? traceByEcho(loadLibc(), ip, signal)
        : traceByTcp(loadLibc(), { ip, port, ...(sourcePort && { sourcePort }) }, signal);
    case 'mtu':
      return testMtu(loadLibc(), ip, signal);
    case 'flows':
      return testFlows({ ip, port }, signal, loadLibc);
  }
}
