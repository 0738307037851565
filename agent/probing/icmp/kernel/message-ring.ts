import type { Libc } from '../../../platform/libc.js';

const headerBytes = 64;
const iovecBytes = 16;
const nameBytes = 32;
const controlBytes = 256;
const truncatedControl = 8;

/** How many messages fit, and how many bytes of each. */
export interface RingSize {
  readonly slots: number;
  readonly dataBytes: number;
}

const defaultSize: RingSize = { slots: 64, dataBytes: 512 };

/** One received message; its buffers are valid until the next receive. */
export interface Message {
  readonly name: Buffer;
  readonly data: Buffer;
  /** Undefined where the kernel had more than fits. */
  readonly control: Buffer | undefined;
}

/**
 * Receive buffers for recvmmsg(2) and recvmsg(2). All of it is one allocation that this object holds
 * as long as the kernel may write to it. Layouts: struct mmsghdr, iovec, msghdr of 64-bit Linux.
 */
export class MessageRing {
  readonly #libc: Libc;
  readonly #slots: number;
  readonly #dataBytes: number;
  readonly #headers: Buffer;
  readonly #iovecs: Buffer;
  readonly #names: Buffer;
  readonly #controls: Buffer;
  readonly #data: Buffer;
  /** The last message of each slot. Mostly the next one there has the same lengths, and so the same buffers. */
  readonly #messages: Message[] = [];
  /** How many headers the kernel may have written to since they were reset. */
  #used: number;

  constructor(libc: Libc, { slots, dataBytes } = defaultSize) {
    this.#libc = libc;
    this.#slots = slots;
    this.#used = slots;
    this.#dataBytes = dataBytes;
    this.#headers = Buffer.alloc(slots * headerBytes);
    this.#iovecs = Buffer.alloc(slots * iovecBytes);
    this.#names = Buffer.alloc(slots * nameBytes);
    this.#controls = Buffer.alloc(slots * controlBytes);
    this.#data = Buffer.alloc(slots * dataBytes);
    const base = (buffer: Buffer): bigint => libc.addressOf(buffer);
    const [iovecs, names, controls, data] = [
      this.#iovecs,
      this.#names,
      this.#controls,
      this.#data,
    ].map(base) as [bigint, bigint, bigint, bigint];
    for (let slot = 0; slot < slots; slot++) {
      const header = slot * headerBytes;
      const iovec = slot * iovecBytes;
      this.#iovecs.writeBigUInt64LE(data + BigInt(slot * dataBytes), iovec);
      this.#iovecs.writeBigUInt64LE(BigInt(dataBytes), iovec + 8);
      this.#headers.writeBigUInt64LE(names + BigInt(slot * nameBytes), header);
      this.#headers.writeBigUInt64LE(iovecs + BigInt(iovec), header + 16);
      this.#headers.writeBigUInt64LE(1n, header + 24);
      this.#headers.writeBigUInt64LE(controls + BigInt(slot * controlBytes), header + 32);
    }
  }

  /** Receives up to a batch; the number of messages, or -1 with errno set. */
  receiveMany(fd: number, flags: number): number {
    for (let slot = 0; slot < this.#used; slot++) this.#reset(slot);
    const count = this.#libc.recvmmsg(fd, this.#headers, this.#slots, flags, null);
    // The next one was tried too.
    this.#used = Math.min(Math.max(count, 0) + 1, this.#slots);
    return count;
  }

  /** Receives one message into the first slot; its length, or -1 with errno set. */
  receiveOne(fd: number, flags: number): number {
    this.#reset(0);
    const bytes = this.#libc.recvmsg(fd, this.#headers, flags);
    this.#headers.writeUInt32LE(Math.max(bytes, 0), 56);
    return bytes;
  }

  get isFullAt(): number {
    return this.#slots;
  }

  message(slot: number): Message {
    const header = slot * headerBytes;
    const nameLength = Math.min(this.#headers.readUInt32LE(header + 8), nameBytes);
    const controlLength = Math.min(
      Number(this.#headers.readBigUInt64LE(header + 40)),
      controlBytes,
    );
    const length = Math.min(this.#headers.readUInt32LE(header + 56), this.#dataBytes);
    const isCut = (this.#headers.readUInt32LE(header + 48) & truncatedControl) !== 0;
    const known = this.#messages[slot];
    const isSame =
      known?.name.length === nameLength &&
      known.data.length === length &&
      known.control?.length === (isCut ? undefined : controlLength);
    if (isSame) return known;
    return (this.#messages[slot] = {
      name: partOf(this.#names, slot * nameBytes, nameLength),
      data: partOf(this.#data, slot * this.#dataBytes, length),
      control: isCut ? undefined : partOf(this.#controls, slot * controlBytes, controlLength),
    });
  }

  /** The kernel writes back what it used, so each call needs the sizes anew. */
  #reset(slot: number): void {
    const header = slot * headerBytes;
    this.#headers.writeUInt32LE(nameBytes, header + 8);
    this.#headers.writeUInt32LE(controlBytes, header + 40);
    this.#headers.writeUInt32LE(0, header + 44);
    this.#headers.writeUInt32LE(0, header + 48);
  }
}

function partOf(buffer: Buffer, at: number, bytes: number): Buffer {
  return buffer.subarray(at, at + bytes);
}
