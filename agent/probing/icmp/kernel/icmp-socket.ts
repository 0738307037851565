import { cookieBytes, type EchoTracker } from '../echo-tracker.js';
import { internetChecksum } from '../packet.js';
import type { KernelTime } from './control-message.js';
import type { QueueState } from './receive-queue.js';
import type { Libc } from '../../../platform/libc.js';
import { MessageRing, type Message } from './message-ring.js';
import { errnos, openIcmpSocket, setNumber, solSocket } from './open-icmp-socket.js';
import { sockaddrBytes, type Family } from './socket-address.js';

// Numbers of the asm-generic Linux ABI: socket(7).
const receiveBuffer = 8;
const receiveBufferForce = 33;
const sendBuffer = 7;
const memoryInfo = 55;
const dontWait = 0x40;
const errorQueue = 0x2000;
const realtimeClock = 0;
const monotonicClock = 1;

const receiveBufferBytes = 8 * 1024 * 1024;
const sendBufferBytes = 2 * 1024 * 1024;
const packetBytes = 8 + cookieBytes;

/** One ICMP socket of one family: unprivileged where the machine allows it, else raw. */
export class IcmpSocket {
  readonly family: Family;
  readonly isRaw: boolean;
  /** The identifier of our echoes: the kernel's choice on a datagram socket. */
  readonly id: number;
  /** When the last packet was handed to the kernel, on CLOCK_REALTIME. */
  readonly sent = { seconds: 0, nanoseconds: 0 } satisfies KernelTime;
  /** How long the send took: much more than usual if the process lost its processor meanwhile. */
  sendNs = 0;
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #ring: MessageRing;
  readonly #packet = Buffer.alloc(packetBytes);
  /** SO_MEMINFO: nine counters. */
  readonly #memory = Buffer.alloc(36);
  readonly #memoryBytes = Buffer.alloc(4);
  readonly #time = Buffer.alloc(48);
  readonly #before = this.#time.subarray(0, 16);
  readonly #between = this.#time.subarray(16, 32);
  readonly #after = this.#time.subarray(32, 48);

  /**
   * @param rawId the identifier to use where the socket has to be a raw one
   * @throws IcmpSocketError that says what the machine lacks
   */
  constructor(libc: Libc, family: Family, rawId: number) {
    this.#libc = libc;
    this.family = family;
    const { fd, isRaw, id } = openIcmpSocket(libc, family, rawId);
    this.#fd = fd;
    this.isRaw = isRaw;
    this.id = id;
    this.#ring = new MessageRing(libc);
    if (!this.#set(solSocket, receiveBufferForce, receiveBufferBytes)) {
      this.#set(solSocket, receiveBuffer, receiveBufferBytes);
    }
    this.#set(solSocket, sendBuffer, sendBufferBytes);
  }

  /** Sends one echo; 0 or the error number. `sent` then says when. */
  send(sequence: number, tracker: Pick<EchoTracker, 'writeCookie'>, to: Buffer): number {
    const packet = this.#packet;
    packet.writeUInt8(this.family === 4 ? 8 : 128, 0);
    packet.writeUInt16BE(0, 2);
    packet.writeUInt16BE(this.id, 4);
    packet.writeUInt16BE(sequence, 6);
    tracker.writeCookie(sequence, packet, 8);
    // The kernel computes it on datagram and on all ICMPv6 sockets.
    if (this.isRaw && this.family === 4) packet.writeUInt16BE(internetChecksum(packet), 2);
    this.#libc.clockGettime(realtimeClock, this.#before);
    const result = this.#libc.sendto(
      this.#fd,
      packet,
      packetBytes,
      dontWait,
      to,
      sockaddrBytes[this.family],
    );
    const errno = result < 0 ? this.#libc.errno() : 0;
    this.#libc.clockGettime(realtimeClock, this.#after);
    this.sent.seconds = secondsOf(this.#before);
    this.sent.nanoseconds = this.#before.readUInt32LE(8);
    this.sendNs = betweenNs(this.#before, this.#after);
    return errno;
  }

  /**
   * The difference between CLOCK_REALTIME and CLOCK_MONOTONIC. Slewing changes both alike, so only
   * a step changes it. `uncertainNs` is how long the reading took.
   */
  clockLead(): KernelTime & { readonly uncertainNs: number } {
    this.#libc.clockGettime(monotonicClock, this.#before);
    this.#libc.clockGettime(realtimeClock, this.#between);
    this.#libc.clockGettime(monotonicClock, this.#after);
    return {
      seconds: secondsOf(this.#between) - secondsOf(this.#before),
      nanoseconds: this.#between.readUInt32LE(8) - this.#before.readUInt32LE(8),
      uncertainNs: betweenNs(this.#before, this.#after),
    };
  }

  /** Passes on everything that was received. Returns false if an error must be read first. */
  receive(onMessage: (message: Message) => void): boolean {
    for (;;) {
      const count = this.#ring.receiveMany(this.#fd, dontWait);
      if (count < 0) return this.#libc.errno() === errnos.EAGAIN;
      for (let slot = 0; slot < count; slot++) onMessage(this.#ring.message(slot));
      if (count < this.#ring.isFullAt) return true;
    }
  }

  /**
   * Passes on every entry of the error queue; the name is the target of the packet. Returns how
   * many there were.
   */
  receiveErrors(onError: (message: Message) => void): number {
    let count = 0;
    for (; this.#ring.receiveOne(this.#fd, errorQueue | dontWait) >= 0; count++)
      onError(this.#ring.message(0));
    return count;
  }

  /** How much its receive queue holds and has dropped. */
  queueState(): QueueState {
    const [info, length] = [this.#memory, this.#memoryBytes];
    length.writeUInt32LE(info.length);
    const result = this.#libc.getsockopt(this.#fd, solSocket, memoryInfo, info, length);
    if (result !== 0) return { bytes: 0, maxBytes: Infinity, drops: 0 };
    return {
      bytes: info.readUInt32LE(0),
      maxBytes: info.readUInt32LE(4),
      drops: info.readUInt32LE(32),
    };
  }

  close(): void {
    this.#libc.close(this.#fd);
  }

  #set(level: number, option: number, value: number): boolean {
    return setNumber(this.#libc, this.#fd, level, option, value);
  }
}

function secondsOf(timespec: Buffer): number {
  return timespec.readUInt32LE(0) + timespec.readInt32LE(4) * 2 ** 32;
}

function betweenNs(from: Buffer, to: Buffer): number {
  return (secondsOf(to) - secondsOf(from)) * 1e9 + to.readUInt32LE(8) - from.readUInt32LE(8);
}
