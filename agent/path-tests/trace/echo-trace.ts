import { setTimeout as delay } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import type { TraceLine } from '../../../api/schema/v1/path-tests.js';
import type { Libc } from '../../platform/libc.js';
import { pollFor } from '../poll.js';
import { TestEchoSocket } from '../sockets/echo-socket.js';
import { Hops, maxTries, traceMs } from './hops.js';

const packetBytes = 96;
/** The next TTL waits this long: a near target then answers before all TTLs were tried. */
const paceMs = 10;

/**
 * Traces a path by echoes with a TTL of 1, 2, 3 and so on, each tried three times in two seconds. All
 * of them are one flow: a router that shares the load between paths sends all the same way.
 * @throws IcmpSocketError that says what the machine lacks
 */
export async function* traceByEcho(
  libc: Libc,
  ip: string,
  signal: AbortSignal,
): AsyncGenerator<TraceLine, void, undefined> {
  const socket = new TestEchoSocket(libc, ip, 1500);
  const hops = new Hops();
  const ttlOf = new Map<number, number>();
  const startedMs = performance.now();
  const read = (): void => {
    for (const answer of socket.receive()) {
      const ttl = ttlOf.get(answer.sequence);
      if (ttl === undefined) continue;
      if (answer.kind === 'reply') hops.addTarget(ttl, ip, answer.rttNs);
      else hops.addError(ttl, socket.family, answer, ip);
    }
  };
  try {
    for (let round = 1; round <= maxTries; round++) {
      for (const ttl of hops.open) {
        if (!hops.open.includes(ttl)) continue;
        socket.setHopLimit(ttl);
        const sent = socket.send(packetBytes);
        if ('errno' in sent) {
          yield { type: 'error', text: `cannot send: ${getSystemErrorName(-sent.errno)}` };
          return;
        }
        if ('tooBigFor' in sent) continue;
        hops.countTry(ttl);
        ttlOf.set(sent.sequence, ttl);
        await delay(paceMs, undefined, { signal });
        read();
        yield* hops.tell();
      }
      const restMs = startedMs + (traceMs * round) / maxTries - performance.now();
      const isDone = (): true | undefined => {
        read();
        return hops.open.length === 0 || undefined;
      };
      const allAnswered = await pollFor(isDone, restMs, signal);
      yield* hops.tell();
      if (allAnswered) break;
    }
    yield* hops.finish();
  } finally {
    socket.close();
  }
}
