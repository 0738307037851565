import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ReadTcpInfo } from '../../probing/http/tcp-info.js';
import {
  openingMs,
  readCount,
  stepMs,
  type Agreement,
  type Counted,
  type Sent,
} from './agreement.js';
import type { KernelSockets } from './kernel-sockets.js';
import type { MessageLink } from './message-link.js';
import { ThroughputError } from './throughput-error.js';

const chunkBytes = 256 * 1024;
/** The receiver ends the measurement. A sender that hears nothing of it stops so much later by itself. */
const graceMs = 1000;

/**
 * Sends one measurement: as much as the streams take, at most what was agreed, until the receiver says how much came.
 * @throws ThroughputError where the receiver goes, or says that something is wrong
 */
export async function send(
  link: MessageLink,
  streams: readonly Socket[],
  agreement: Agreement,
  { readTcpInfo }: Pick<KernelSockets, 'readTcpInfo'>,
): Promise<{ readonly counted: Counted; readonly sent: Sent }> {
  const sender = new Sender(streams, agreement);
  try {
    const done = await link.expect('done', openingMs + agreement.ms + stepMs);
    const counted = readCounted(done.fields, agreement);
    // A connection that is closed cannot be asked any more, so the other end leaves them open.
    const sent = { bytes: sender.bytes, retransmissions: sum(streams, readTcpInfo) };
    const { retransmissions } = sent;
    link.send('sent', {
      bytes: sent.bytes,
      ...(retransmissions !== undefined && { retransmissions }),
    });
    return { counted, sent };
  } finally {
    sender.stop();
  }
}

let chunk: Buffer | undefined;

/**
 * What one stream gives the kernel at once. It is no more than the event loop can do between two probes. A tunnel that
 * compresses makes nothing shorter of random bytes.
 */
function chunkOf(length: number): Buffer {
  chunk ??= randomBytes(chunkBytes);
  return length === chunk.length ? chunk : chunk.subarray(0, length);
}

/** Keeps all streams full. */
class Sender {
  readonly #streams: readonly Socket[];
  readonly #timer: NodeJS.Timeout;
  #left: number;
  #isOver = false;
  bytes = 0;

  constructor(streams: readonly Socket[], { ms, bytes }: Agreement) {
    this.#streams = streams;
    this.#left = bytes;
    this.#timer = setTimeout(() => (this.#isOver = true), ms + graceMs);
    for (const stream of streams) {
      stream.on('error', () => undefined);
      // Nothing is to come on them.
      stream.on('data', () => stream.destroy()).resume();
      this.#write(stream);
    }
  }

  /** What the kernel has not sent yet is thrown away. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) stream.resetAndDestroy();
  }

  #write(stream: Socket): void {
    const length = Math.min(chunkBytes, this.#left);
    if (this.#isOver || length === 0 || stream.destroyed) return;
    this.#left -= length;
    stream.write(chunkOf(length), (error) => {
      if (error) return;
      this.bytes += length;
      // Where the kernel takes all at once, there would be no turn for anything else.
      setImmediate(() => this.#write(stream));
    });
  }
}

function sum(streams: readonly Socket[], readTcpInfo: ReadTcpInfo): number | undefined {
  let all = 0;
  for (const stream of streams) {
    const info = readTcpInfo(stream);
    if (!info) return undefined;
    all += info.retransmissions;
  }
  return all;
}

function readCounted(
  fields: ReadonlyMap<string, string>,
  { ms, bytes: agreed }: Agreement,
): Counted {
  const bytes = readCount(fields, 'bytes') ?? 0;
  const us = readCount(fields, 'us') ?? 0;
  const isPossible = bytes > 0 && bytes <= agreed && us > 0 && us <= (ms + stepMs) * 1000;
  if (!isPossible) throw new ThroughputError('says that it received what cannot be');
  return { bytes, us };
}
