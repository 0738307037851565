import { cookieBytes, type EchoTracker } from '../echo-tracker.js';
import { internetChecksum } from '../packet.js';
import type { NotSentReason } from '../../../model/failure.js';
import type { KernelTime } from './control-message.js';
import type { QueueState } from './receive-queue.js';
import { filterProgram, identifierFilter } from './socket-filter.js';
import type { Libc } from '../../../platform/libc.js';
import { MessageRing, type Message } from './message-ring.js';
import { familyNumber, sockaddrBytes, socketAddress, type Family } from './socket-address.js';

// Numbers of the asm-generic Linux ABI: socket(2), icmp(7), ip(7), ipv6(7), socket(7).
const datagram = 2;
const raw = 3;
const nonBlockCloseOnExec = 0o4000 | 0o2000000;
const icmpProtocol = { 4: 1, 6: 58 } as const;
const solSocket = 1;
const receiveBuffer = 8;
const receiveBufferForce = 33;
const sendBuffer = 7;
const attachFilter = 26;
const timestampNs = 35;
const memoryInfo = 55;
const receiveErrors = { 4: [0, 11], 6: [41, 25] } as const;
const dontWait = 0x40;
const errorQueue = 0x2000;
const realtimeClock = 0;
const monotonicClock = 1;

const receiveBufferBytes = 8 * 1024 * 1024;
const sendBufferBytes = 2 * 1024 * 1024;
const packetBytes = 8 + cookieBytes;

/** Error numbers of Linux that are told apart here. */
export const errnos = {
  EPERM: 1,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EAFNOSUPPORT: 97,
  ENOBUFS: 105,
} as const;

/** Why an ICMP socket could not be opened. */
export class IcmpSocketError extends Error {
  override readonly name = 'IcmpSocketError';
  readonly reason: NotSentReason;

  constructor(reason: NotSentReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

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
    const { fd, isRaw } = open(libc, family);
    this.#fd = fd;
    this.isRaw = isRaw;
    this.#ring = new MessageRing(libc);
    this.#set(solSocket, timestampNs, 1);
    if (!this.#set(solSocket, receiveBufferForce, receiveBufferBytes)) {
      this.#set(solSocket, receiveBuffer, receiveBufferBytes);
    }
    this.#set(solSocket, sendBuffer, sendBufferBytes);
    const [level, option] = receiveErrors[family];
    this.#set(level, option, 1);
    this.id = isRaw ? rawId : this.#bindAny();
    if (isRaw) this.#filterReplies();
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
    const buffer = Buffer.alloc(4);
    buffer.writeInt32LE(value);
    return this.#libc.setsockopt(this.#fd, level, option, buffer, 4) === 0;
  }

  /**
   * Filters in the kernel, so that answers to other processes do not fill the queue. A set bit of
   * the first filter drops a type: only echo replies pass, and errors come by the error queue. The
   * second filter passes only the identifier of this socket.
   */
  #filterReplies(): void {
    const filter = Buffer.alloc(this.family === 4 ? 4 : 32, 0xff);
    const type = this.family === 4 ? 0 : 129;
    filter.writeUInt8(filter.readUInt8(type >> 3) & ~(1 << (type & 7)), type >> 3);
    this.#libc.setsockopt(this.#fd, this.family === 4 ? 255 : 58, 1, filter, filter.length);
    const program = identifierFilter(this.family, this.id);
    const header = filterProgram(program, this.#libc.addressOf(program));
    this.#libc.setsockopt(this.#fd, solSocket, attachFilter, header, header.length);
  }

  /** The "port" of a datagram ICMP socket is its identifier, unique only where the kernel chose it. */
  #bindAny(): number {
    const address = socketAddress(this.family);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(address.length);
    this.#libc.bind(this.#fd, address, address.length);
    this.#libc.getsockname(this.#fd, address, bytes);
    return address.readUInt16BE(2);
  }
}

function secondsOf(timespec: Buffer): number {
  return timespec.readUInt32LE(0) + timespec.readInt32LE(4) * 2 ** 32;
}

function betweenNs(from: Buffer, to: Buffer): number {
  return (secondsOf(to) - secondsOf(from)) * 1e9 + to.readUInt32LE(8) - from.readUInt32LE(8);
}

function open(libc: Libc, family: Family): { fd: number; isRaw: boolean } {
  const create = (type: number): number =>
    libc.socket(familyNumber[family], type | nonBlockCloseOnExec, icmpProtocol[family]);
  const unprivileged = create(datagram);
  if (unprivileged >= 0) return { fd: unprivileged, isRaw: false };
  const first = libc.errno();
  const privileged = create(raw);
  if (privileged >= 0) return { fd: privileged, isRaw: true };
  const second = libc.errno();
  if (first === errnos.EAFNOSUPPORT || second === errnos.EAFNOSUPPORT) {
    throw new IcmpSocketError('no-family', `this host has no IPv${family}`);
  }
  if (second === errnos.EPERM || second === errnos.EACCES) {
    throw new IcmpSocketError(
      'no-permission',
      'no permission to send ICMP: run as root, grant CAP_NET_RAW, or put the group into net.ipv4.ping_group_range',
    );
  }
  throw new IcmpSocketError(
    'other',
    `cannot open an ICMP socket: error ${first} as datagram, ${second} as raw`,
  );
}
