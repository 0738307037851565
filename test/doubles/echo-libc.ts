import type { Libc } from '../../agent/platform/libc.js';
import { socketAddress, type Family } from '../../agent/probing/icmp/kernel/socket-address.js';

/** The identifier that this kernel gives to the socket. */
const echoId = 0x1234;
const [wouldBlock, messageTooLong] = [11, 90];
const errorQueue = 0x2000;
const icmpHeader = { 4: 20, 6: 40 } as const;
const mtuOption = { 4: 14, 6: 24 } as const;

/** One message that the kernel has for the socket. */
export interface EchoMessage {
  readonly data: Buffer;
  /** Who sent it; of an error: where the quoted packet went. */
  readonly from: string;
  /** It comes so long after the echo. */
  readonly afterMs?: number;
  /** An ICMP error, and who sent that. */
  readonly error?: {
    readonly by: string;
    readonly type: number;
    readonly code: number;
    readonly mtu: number;
    /** 1: by this host itself. */
    readonly origin?: number;
  };
}

/**
 * A kernel with one ICMP datagram socket, and a network behind it which may answer each echo with
 * anything at all: what hostile hosts and routers send. Nothing leaves the process.
 */
export function echoLibc(
  family: Family,
  interfaceMtu: number,
  network: (echo: Buffer, packetBytes: number) => readonly EchoMessage[],
): Libc {
  const buffers: Buffer[] = [];
  const queues = { data: [] as EchoMessage[], errors: [] as EchoMessage[] };
  const add = (message: EchoMessage): void => {
    (message.error ? queues.errors : queues.data).push(message);
  };
  let errno = 0;
  const fail = (number: number): -1 => {
    errno = number;
    return -1;
  };
  /** The memory at an address that `addressOf` gave, or some bytes behind it. */
  const at = (address: bigint): Buffer => {
    const buffer = buffers[Number(address >> 32n) - 1];
    if (!buffer) throw new Error('expected an address of a buffer');
    return buffer.subarray(Number(address & 0xffff_ffffn));
  };
  const write = (message: Buffer, { data, from, error }: EchoMessage): number => {
    const name = socketAddress(family, from);
    name.copy(at(message.readBigUInt64LE(0)));
    message.writeUInt32LE(name.length, 8);
    const iovec = at(message.readBigUInt64LE(16));
    const bytes = data.copy(
      at(iovec.readBigUInt64LE(0)).subarray(0, Number(iovec.readBigUInt64LE(8))),
    );
    const control = error ? extendedError(family, error) : Buffer.alloc(0);
    control.copy(at(message.readBigUInt64LE(32)));
    message.writeBigUInt64LE(BigInt(control.length), 40);
    message.writeUInt32LE(0, 48);
    return bytes;
  };
  return {
    socket: () => 3,
    bind: () => 0,
    connect: () => 0,
    close: () => 0,
    setsockopt: () => 0,
    recvmmsg: () => fail(wouldBlock),
    recv: () => fail(wouldBlock),
    clockGettime: () => 0,
    errno: () => errno,
    getsockname(_, address) {
      address.writeUInt16BE(echoId, 2);
      return 0;
    },
    getsockopt(_, __, option, value) {
      value.writeUInt32LE(option === mtuOption[family] ? interfaceMtu : 0);
      return 0;
    },
    sendto(_, data) {
      const packetBytes = data.length + icmpHeader[family];
      if (packetBytes > interfaceMtu) {
        const error = { by: '', type: 0, code: 0, mtu: interfaceMtu, origin: 1 };
        queues.errors.push({ data, from: family === 4 ? '0.0.0.0' : '::', error });
        return fail(messageTooLong);
      }
      const sent = Buffer.from(data);
      sent.writeUInt16BE(echoId, 4);
      for (const message of network(sent, packetBytes)) {
        if (message.afterMs === undefined) add(message);
        else setTimeout(add, message.afterMs, message);
      }
      return data.length;
    },
    recvmsg(_, message, flags) {
      const next = (flags & errorQueue) === 0 ? queues.data.shift() : queues.errors.shift();
      return next ? write(message, next) : fail(wouldBlock);
    },
    addressOf(buffer) {
      buffers.push(buffer);
      return BigInt(buffers.length) << 32n;
    },
  };
}

/** The control data of an entry of the error queue (struct sock_extended_err of ip(7)). */
function extendedError(family: Family, error: NonNullable<EchoMessage['error']>): Buffer {
  const { by, type, code, mtu, origin = family === 4 ? 2 : 3 } = error;
  const offender = by === '' ? Buffer.alloc(0) : socketAddress(family, by);
  const control = Buffer.alloc(16 + 16 + offender.length);
  control.writeUInt32LE(control.length, 0);
  control.writeInt32LE(family === 4 ? 0 : 41, 8);
  control.writeInt32LE(family === 4 ? 11 : 25, 12);
  control.writeUInt32LE(messageTooLong, 16);
  control.writeUInt8(origin, 20);
  control.writeUInt8(type, 21);
  control.writeUInt8(code, 22);
  control.writeUInt32LE(mtu, 24);
  offender.copy(control, 32);
  return control;
}
