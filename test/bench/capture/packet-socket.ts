import { getSystemErrorName } from 'node:util';
import { readTimestamp } from '../../../agent/probing/icmp/kernel/control-message.js';
import { loadLibc, type Libc } from '../../../agent/platform/libc.js';
import { MessageRing } from '../../../agent/probing/icmp/kernel/message-ring.js';
import { encodeFilter, filterProgram } from '../../../agent/probing/icmp/kernel/socket-filter.js';
import type { Stamp } from './exchanges.js';

// Constants of the asm-generic Linux ABI: packet(7), socket(7), linux/filter.h.
const afPacket = 17;
const datagram = 2;
const nonBlockCloseOnExec = 0o4000 | 0o2000000;
const everyProtocol = 0x0003;
const solSocket = 1;
const receiveBufferForce = 33;
const timestampNs = 35;
const attachFilter = 26;
const solPacket = 263;
const statistics = 6;
const dontWait = 0x40;
const packetTypeAt = 10;
const outgoing = 4;
const receiveBufferBytes = 64 * 1024 * 1024;

/** Passes only packets with the ICMP protocol number in their IPv4 header. */
const icmpFilter = [
  [0x30, 0, 0, 9],
  [0x15, 0, 1, 1],
  [0x06, 0, 0, 0xffff],
  [0x06, 0, 0, 0],
] as const;

/** One packet that passed the device. Its bytes are valid until the next read. */
export interface Frame {
  readonly isOutgoing: boolean;
  readonly packet: Buffer;
  readonly stamp: Stamp;
}

/** Captures the ICMP packets that leave and enter one device, with the kernel's timestamps. */
export class PacketSocket {
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #ring: MessageRing;

  /**
   * @param deviceIndex the interface's number
   * @throws Error if this machine or user may not capture
   */
  constructor(deviceIndex: number) {
    this.#libc = loadLibc();
    // With protocol 0 the socket receives nothing until the filter is set and the device is bound.
    this.#fd = this.#checked(
      'socket',
      this.#libc.socket(afPacket, datagram | nonBlockCloseOnExec, 0),
    );
    this.#ring = new MessageRing(this.#libc);
    this.#set(receiveBufferForce, number(receiveBufferBytes));
    this.#set(timestampNs, number(1));
    this.#attachFilter();
    const address = Buffer.alloc(20);
    address.writeUInt16LE(afPacket, 0);
    address.writeUInt16BE(everyProtocol, 2);
    address.writeInt32LE(deviceIndex, 4);
    this.#checked('bind', this.#libc.bind(this.#fd, address, address.length));
  }

  /** Calls `onFrame` with each packet that was captured since the last read. */
  read(onFrame: (frame: Frame) => void): void {
    for (;;) {
      const count = this.#ring.receiveMany(this.#fd, dontWait);
      for (let slot = 0; slot < count; slot++) {
        const { name, data, control } = this.#ring.message(slot);
        const stamp = control && readTimestamp(control);
        if (!stamp || name.length <= packetTypeAt) continue;
        onFrame({ isOutgoing: name.readUInt8(packetTypeAt) === outgoing, packet: data, stamp });
      }
      if (count < this.#ring.isFullAt) return;
    }
  }

  /**
   * The number of packets lost because they were not read in time. Each call starts a new count.
   */
  drops(): number {
    const [value, bytes] = [Buffer.alloc(8), number(8)];
    const result = this.#libc.getsockopt(this.#fd, solPacket, statistics, value, bytes);
    return result === 0 ? value.readUInt32LE(4) : 0;
  }

  #attachFilter(): void {
    const program = encodeFilter(icmpFilter);
    this.#set(attachFilter, filterProgram(program, this.#libc.addressOf(program)));
  }

  #set(option: number, value: Buffer): void {
    const result = this.#libc.setsockopt(this.#fd, solSocket, option, value, value.length);
    this.#checked(`socket option ${option}`, result);
  }

  #checked(what: string, result: number): number {
    if (result >= 0) return result;
    throw new Error(`cannot capture: ${what}: ${getSystemErrorName(-this.#libc.errno())}`);
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
