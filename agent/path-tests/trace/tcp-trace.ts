import { randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { TraceLine } from '../../../api/schema/v1/path-tests.js';
import type { Libc } from '../../platform/libc.js';
import { pollFor } from '../poll.js';
import { maxFlowLabel } from '../sockets/send-options.js';
import { SynSocket, type SynAnswer } from '../sockets/syn-socket.js';
import { Hops, maxTries, traceMs } from './hops.js';

const usualHops = 64;
/** How long the target itself may take to answer the SYN of the usual TTL, before the trace. */
const directMs = 500;
const minWaitMs = 25;
const maxWaitMs = 90;
/** So many hops that say nothing, one after the other, and the round is over. */
const maxSilent = 8;

export interface TcpTarget {
  readonly ip: string;
  readonly port: number;
  /** The flow to trace; left out, any. */
  readonly sourcePort?: number;
}

/**
 * Traces a path by SYNs to a port. All have the same pair of ports and the same flow label, so they are one flow, and one is
 * under way at a time. It needs no rights.
 */
export async function* traceByTcp(
  libc: Libc,
  { ip, port, sourcePort = 0 }: TcpTarget,
  signal: AbortSignal,
): AsyncGenerator<TraceLine, void, undefined> {
  const endMs = performance.now() + traceMs;
  const hops = new Hops();
  let from = sourcePort;
  const flowLabel = randomInt(1, maxFlowLabel + 1);
  const ask = async (ttl: number, waitMs: number): Promise<SynAnswer | undefined> => {
    const socket = new SynSocket(libc, ip, from);
    try {
      from = socket.port;
      socket.connect(ip, port, ttl, flowLabel);
      return await pollFor(() => socket.answer(), waitMs, signal);
    } finally {
      socket.close();
    }
  };
  // How long the target takes says how long to wait for routers on the way.
  const direct = await ask(usualHops, directMs);
  if (direct?.kind === 'not-sent') {
    yield { type: 'error', text: `cannot send: ${getSystemErrorName(-direct.errno)}` };
    return;
  }
  const directRttMs = direct?.kind === 'target' ? direct.rttNs / 1e6 : undefined;
  for (let round = 1; round <= maxTries; round++) {
    let silent = 0;
    for (const ttl of hops.open) {
      if (!hops.open.includes(ttl)) continue;
      const leftMs = endMs - performance.now();
      const waitMs = Math.min(leftMs, waitFor(directRttMs));
      if (waitMs < minWaitMs || (silent >= maxSilent && directRttMs === undefined)) break;
      hops.countTry(ttl);
      const answer = await ask(ttl, waitMs);
      silent = answer ? 0 : silent + 1;
      if (answer?.kind === 'target') {
        hops.addTarget(ttl, ip, answer.rttNs, answer.isRefused ? 'connection refused' : undefined);
      } else if (answer?.kind === 'error') {
        hops.addError(ttl, isIPv6(ip) ? 6 : 4, answer, ip);
      }
      yield* hops.tell();
    }
    if (hops.open.length === 0) break;
  }
  yield* hops.finish();
}

function waitFor(directRttMs: number | undefined): number {
  return directRttMs === undefined ? maxWaitMs : Math.max(maxWaitMs / 2, 1.5 * directRttMs + 30);
}
