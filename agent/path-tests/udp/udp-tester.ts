import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Signer } from '../../model/signed-fields.js';
import { decodeDatagram, encodeDatagram, isSigned } from '../../model/udp-datagram.js';
import type { Clock } from '../../platform/clock.js';
import type { UdpCounts } from './udp-counts.js';
import type { UdpEntry, UdpPaths } from './udp-paths.js';

/** One path is tested in this time, so an agent sends at most 8 datagrams a second. */
const paceMs = 1000;
/** They leave one right after the other: what comes in another order was overtaken on the way. */
const trainDatagrams = 8;
/** How long answers are waited for. */
const waitMs = 2000;
/** A timer that is as late says that this process had no CPU time: answers may wait in the kernel. */
const stallMs = 250;

export interface UdpTesterOptions {
  readonly paths: UdpPaths;
  /** Where peers answer. */
  readonly port: number;
  readonly keys: Signer;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs'>;
}

/** Tests one path after the other with numbered datagrams, until it is stopped. Returns how to stop it. */
export function startUdpTester(options: UdpTesterOptions): () => void {
  const tester = new UdpTester(options);
  const timer = setInterval(() => tester.testNext(), paceMs).unref();
  return () => {
    clearInterval(timer);
    tester.close();
  };
}

class UdpTester {
  readonly #options: UdpTesterOptions;
  readonly #sockets = new Map<4 | 6, Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: UdpTesterOptions) {
    this.#options = options;
  }

  testNext(): void {
    const { paths, clock } = this.#options;
    const entry = paths.next(clock.nowMs());
    if (!entry) return;
    paths.mark(entry, clock.nowMs());
    for (let count = 0; count < trainDatagrams; count++) this.#send(entry);
    this.#settleLater(entry.counts);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const socket of this.#sockets.values()) socket.close();
  }

  #send({ path, session, counts }: UdpEntry): void {
    const { port, keys } = this.#options;
    const sequence = counts.send();
    const asked = { type: 'request', session, sequence, counter: 0, epoch: 0 } as const;
    const socket = this.#socket(isIPv6(path.ip) ? 6 : 4);
    socket.send(encodeDatagram(asked, keys), port, path.ip, (error) => {
      if (error) counts.notSent(sequence);
    });
  }

  /** Answers that have come are read before anything is called lost. */
  #settleLater(counts: UdpCounts): void {
    const { clock } = this.#options;
    const dueMs = clock.nowMs() + waitMs;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (clock.nowMs() - dueMs >= stallMs) this.#settleLater(counts);
      else setImmediate(() => counts.settle());
    }, waitMs).unref();
    this.#timers.add(timer);
  }

  /** One of each family, with a source port of its own as long as the agent runs. */
  #socket(family: 4 | 6): Socket {
    const known = this.#sockets.get(family);
    if (known) return known;
    // Only addresses are sent to, and the usual lookup of them costs more than the rest.
    const socket = createSocket({
      type: family === 4 ? 'udp4' : 'udp6',
      lookup: (ip, _, found) => found(null, ip, family),
    });
    // The callback of the send says the same.
    socket.on('error', () => undefined).on('message', (data, from) => this.#onMessage(data, from));
    this.#sockets.set(family, socket);
    return socket;
  }

  /** Takes an answer of the peer, with its session. Anything else is none. */
  #onMessage(data: Buffer, from: RemoteInfo): void {
    const { paths, port, keys, clock } = this.#options;
    const answer = decodeDatagram(data, 'answer');
    const entry = answer && paths.bySession(answer.session);
    if (!entry || from.port !== port || !entry.path.sources.has(from.address)) return;
    if (!isSigned(data, keys)) return;
    paths.take(entry, answer, { ms: clock.nowMs(), at: clock.wallMs() });
  }
}
