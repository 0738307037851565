import { getSystemErrorName } from 'node:util';
import type { MtuLine } from '../../../api/schema/v1/path-tests.js';
import type { Libc } from '../../platform/libc.js';
import { pollFor } from '../poll.js';
import { maxPacketBytes, TestEchoSocket } from '../sockets/echo-socket.js';
import { SizeSearch, type SizeResult } from './size-search.js';

/** How long the first, small echo may take. */
const firstWaitMs = 1000;
const minWaitMs = 250;
const maxWaitMs = 1000;
/** How long the reply to a packet may come after a router's word that it was too large. */
const wordWaitMs = 200;

/**
 * Searches the largest packet that passes to an address, by echoes that no router may cut in pieces.
 * @throws IcmpSocketError that says what the machine lacks
 */
export async function* testMtu(
  libc: Libc,
  ip: string,
  signal: AbortSignal,
): AsyncGenerator<MtuLine, void, undefined> {
  const socket = new TestEchoSocket(libc, ip, maxPacketBytes);
  try {
    const kernelBytes = socket.connect();
    if (kernelBytes === undefined) {
      yield { type: 'error', text: `there is no route to ${ip}` };
      return;
    }
    socket.forbidFragments();
    const interfaceBytes = interfaceMtu(socket, kernelBytes);
    const search = new SizeSearch(Math.min(interfaceBytes, maxPacketBytes), socket.family);
    let waitMs = firstWaitMs;
    for (let bytes; (bytes = search.next()) !== undefined;) {
      const sent = socket.send(bytes);
      if ('errno' in sent) {
        yield { type: 'error', text: `cannot send: ${getSystemErrorName(-sent.errno)}` };
        return;
      }
      if ('tooBigFor' in sent) {
        yield { type: 'error', text: `the interface takes only ${sent.tooBigFor} bytes now` };
        return;
      }
      const read = () => answerTo(socket, search, { bytes, sequence: sent.sequence });
      const first = await pollFor(read, waitMs, signal);
      // A reply proves that the packet passed, whatever a router says of it.
      const isWord = first !== undefined && first.result !== 'answered';
      const found = (isWord ? await pollFor(reply(read), wordWaitMs, signal) : undefined) ?? first;
      const result = found?.result ?? 'lost';
      search.take(bytes, result);
      if (found?.rttNs !== undefined) {
        waitMs = Math.min(Math.max(minWaitMs, (3 * found.rttNs) / 1e6), maxWaitMs);
      }
      yield {
        type: 'echo',
        bytes,
        result: typeof result === 'string' ? result : 'too-big',
        ...(found?.rttNs !== undefined && { rttNs: found.rttNs }),
        ...(typeof result === 'object' && result),
      };
    }
    yield { type: 'end', interfaceBytes, kernelBytes, ...search.limit() };
  } finally {
    socket.close();
  }
}

/**
 * What the interface takes: the kernel refuses a packet of the largest size there is, and says so.
 * Nothing is sent by that, unless the interface takes it (loopback).
 */
function interfaceMtu(socket: TestEchoSocket, kernelBytes: number): number {
  if (kernelBytes >= maxPacketBytes) return kernelBytes;
  const sent = socket.send(maxPacketBytes);
  return 'tooBigFor' in sent ? sent.tooBigFor : kernelBytes;
}

interface Found {
  readonly result: SizeResult;
  readonly rttNs: number;
}

const tooBig = { 4: { type: 3, code: 4 }, 6: { type: 2, code: 0 } } as const;

/** Reads a reply alone. */
function reply(read: () => Found | undefined): () => Found | undefined {
  return () => {
    const found = read();
    return found?.result === 'answered' ? found : undefined;
  };
}

/** The answer to one packet, the reply if it is there. An error that names an impossible MTU is no answer. */
function answerTo(
  socket: TestEchoSocket,
  search: SizeSearch,
  { bytes, sequence }: { readonly bytes: number; readonly sequence: number },
): Found | undefined {
  let word: Found | undefined;
  for (const answer of socket.receive()) {
    if (answer.sequence !== sequence) continue;
    const { rttNs } = answer;
    if (answer.kind === 'reply') return { result: 'answered', rttNs };
    const { type, code } = tooBig[socket.family];
    const { mtu, from: address } = answer;
    if (answer.type !== type || answer.code !== code || !search.isPossible(mtu, bytes)) continue;
    word ??= { result: { router: { address, bytes: mtu } }, rttNs };
  }
  return word;
}
