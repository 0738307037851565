import { randomInt } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import type { Signer } from '../../model/signed-fields.js';
import {
  decodeDatagram,
  encodeDatagram,
  isSigned,
  type Datagram,
} from '../../model/udp-datagram.js';
import { noteSocketEvent } from '../../platform/loop-turns.js';
import { EchoSockets } from './udp-echo-sockets.js';
import { EchoLimits } from './udp-echo-limits.js';

/** Sessions that are counted at the same time: of more, the one that was idle longest is forgotten. */
const maxSessions = 16_384;
/** What the kernel has not taken yet. */
const maxQueued = 256;

export interface UdpEchoOptions {
  /** Empty: every address of both families. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly keys: Signer;
  /** Whether datagrams from an address are looked at. */
  readonly isAllowed: (ip: string) => boolean;
  readonly nowMs: () => number;
  /** Called once if a socket fails later. */
  readonly onFailure: (reason: Error) => void;
}

export interface UdpEcho {
  readonly addresses: readonly AddressInfo[];
  stop(): Promise<void>;
}

/** How many datagrams of one session have come. */
interface Session {
  readonly epoch: number;
  counter: number;
}

/**
 * Answers each datagram that asks with one of as many bytes, which says how many have come, from the address
 * that was asked. It answers only addresses that are allowed and, with a key, what is signed; never an
 * answer, never the port of another echo, and so many in a second.
 * @throws StartError where an address cannot be listened on
 */
export async function startUdpEcho(options: UdpEchoOptions): Promise<UdpEcho> {
  const answer = createUdpAnswer(options);
  const sockets = new EchoSockets({
    addresses: options.addresses,
    port: options.port,
    onSocket(socket) {
      socket.on('error', (error) => options.onFailure(new Error(`UDP echo: ${error.message}`)));
      socket.on('message', (data, from) => {
        noteSocketEvent();
        if (socket.getSendQueueCount() >= maxQueued) return;
        const answered = answer(data, from);
        // What cannot be sent is lost, as on the way.
        if (answered) socket.send(answered, from.port, from.address, () => undefined);
      });
    },
  });
  try {
    await sockets.start();
  } catch (error) {
    await sockets.stop();
    throw error;
  }
  return {
    addresses: sockets.all.map((socket) => socket.address()),
    stop: () => sockets.stop(),
  };
}

/** Makes the answer to a datagram; undefined where none is due. Exported for tests. */
export function createUdpAnswer(
  options: Pick<UdpEchoOptions, 'port' | 'keys' | 'isAllowed' | 'nowMs'>,
): (data: Buffer, from: Pick<RemoteInfo, 'address' | 'port'>) => Buffer | undefined {
  const { port, keys, isAllowed, nowMs } = options;
  const limits = new EchoLimits();
  const sessions = new Map<string, Session>();
  const count = (from: string): Session => {
    const session = sessions.get(from) ?? { epoch: randomInt(1, 2 ** 32), counter: 0 };
    session.counter = (session.counter + 1) % 2 ** 32;
    // The last of the map is the one that was used last.
    sessions.delete(from);
    sessions.set(from, session);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return session;
  };
  return (data, from) => {
    const asked: Datagram | undefined = decodeDatagram(data, 'request');
    if (!asked || from.port === port || from.port === 0 || !isAllowed(from.address)) {
      return undefined;
    }
    if (!limits.admit(from.address, nowMs()) || !isSigned(data, keys)) return undefined;
    const { epoch, counter } = count(`${from.address} ${from.port} ${asked.session}`);
    const { session, sequence } = asked;
    return encodeDatagram({ type: 'answer', session, sequence, counter, epoch }, keys);
  };
}
