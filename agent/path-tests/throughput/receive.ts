import type { Socket } from 'node:net';
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
import { ThroughputError, type Refusal } from './throughput-error.js';

/** What is taken of one stream at once, beside what Node reads. */
const mostAtOnce = 4 * 1024 * 1024;

/** What a receiver tells the other end, and its own side. */
const faults = {
  silent: `sent no data within ${openingMs / 1000} s`,
  overrun: 'sent more data than was agreed',
  streams: 'closed a stream before the measurement was over',
} as const satisfies Partial<Record<Refusal, string>>;
type Fault = keyof typeof faults;

/**
 * Receives one measurement: counts what comes, says it to the other end, and gets to know what that knows. What came
 * is thrown away.
 * @throws ThroughputError where nothing comes, or more than was agreed, or the other end goes
 */
export async function receive(
  link: MessageLink,
  streams: readonly Socket[],
  agreement: Agreement,
  kernel: Pick<KernelSockets, 'discard'>,
): Promise<{ readonly counted: Counted; readonly sent: Sent }> {
  try {
    const counted = await count(streams, agreement, kernel, link.closed);
    if (typeof counted === 'string') {
      link.refuse(counted);
      throw new ThroughputError(faults[counted]);
    }
    link.send('done', { bytes: counted.bytes, us: counted.us });
    return { counted, sent: readSent(await link.expect('sent', stepMs)) };
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

/** Counts until all agreed bytes are there, or the agreed time after the first one is over. */
function count(
  streams: readonly Socket[],
  { ms, bytes: agreed }: Agreement,
  { discard }: Pick<KernelSockets, 'discard'>,
  closed: AbortSignal,
): Promise<Counted | Fault> {
  return new Promise((resolve, reject) => {
    let [bytes, firstMs, isOver] = [0, NaN, false];
    const stop = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      closed.removeEventListener('abort', onClosed);
      settle();
    };
    const end = (result: Counted | Fault): void => stop(() => resolve(result));
    const counted = (): Counted => ({
      bytes,
      us: Math.max(1, Math.round((performance.now() - firstMs) * 1000)),
    });
    const onClosed = (): void => stop(() => reject(closed.reason as ThroughputError));
    let timer = setTimeout(() => end('silent'), openingMs);
    const onData = (stream: Socket, { length }: Buffer): void => {
      if (isOver) return;
      if (bytes === 0) {
        firstMs = performance.now();
        clearTimeout(timer);
        timer = setTimeout(() => end(counted()), ms);
      }
      bytes += length;
      // One more than was agreed is enough to know that it was. The rest of a turn of the event loop is for others.
      bytes += discard(stream, Math.min(agreed - bytes + 1, mostAtOnce));
      if (bytes > agreed) end('overrun');
      else if (bytes === agreed) end(counted());
    };
    for (const stream of streams) {
      stream.on('error', () => undefined);
      // Who ends a stream before all agreed bytes were there does not keep to the protocol, or died.
      stream
        .on('data', (chunk: Buffer) => onData(stream, chunk))
        .on('close', () => end('streams'))
        .resume();
    }
    closed.addEventListener('abort', onClosed, { once: true });
    if (closed.aborted) onClosed();
    else if (streams.some(({ destroyed }) => destroyed)) end('streams');
  });
}

function readSent({ fields }: { readonly fields: ReadonlyMap<string, string> }): Sent {
  const bytes = readCount(fields, 'bytes');
  if (bytes === undefined) throw new ThroughputError('does not say how much it sent');
  return { bytes, retransmissions: readCount(fields, 'retransmissions') };
}
