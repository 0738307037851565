import { endianness } from 'node:os';
import koffi from 'koffi';

/**
 * The C library calls of the kernel engine, and of a log that goes to a socket. None of them blocks: every socket is
 * non-blocking, or the call asks for it. Structures are plain bytes in Buffers, laid out as on 64-bit little-endian Linux;
 * nothing is converted.
 */
export interface Libc {
  socket(family: number, type: number, protocol: number): number;
  bind(fd: number, address: Buffer, bytes: number): number;
  connect(fd: number, address: Buffer, bytes: number): number;
  getsockname(fd: number, address: Buffer, bytes: Buffer): number;
  setsockopt(fd: number, level: number, option: number, value: Buffer, bytes: number): number;
  getsockopt(fd: number, level: number, option: number, value: Buffer, bytes: Buffer): number;
  sendto(
    fd: number,
    data: Buffer,
    bytes: number,
    flags: number,
    to: Buffer | null,
    toBytes: number,
  ): number;
  recvmmsg(fd: number, messages: Buffer, count: number, flags: number, timeout: null): number;
  recvmsg(fd: number, message: Buffer, flags: number): number;
  recv(fd: number, data: null, bytes: number, flags: number): number;
  clockGettime(clock: number, time: Buffer): number;
  close(fd: number): number;
  /** Valid only right after a call that returned -1. */
  errno(): number;
  addressOf(buffer: Buffer): bigint;
}

const architectures = new Set(['x64', 'arm64', 'riscv64']);

/**
 * Loads the calls.
 * @throws Error where this machine's structures are laid out otherwise, or the library is not there
 */
export function loadLibc(): Libc {
  const { platform, arch } = process;
  if (platform !== 'linux' || !architectures.has(arch) || endianness() !== 'LE') {
    throw new Error(
      `the kernel engine runs on 64-bit little-endian Linux, not on ${platform} ${arch}`,
    );
  }
  const libc = koffi.load(null);
  const call = (signature: string) => libc.func(signature) as never;
  return {
    socket: call('int socket(int, int, int)'),
    bind: call('int bind(int, const void *, unsigned int)'),
    connect: call('int connect(int, const void *, unsigned int)'),
    getsockname: call('int getsockname(int, void *, void *)'),
    setsockopt: call('int setsockopt(int, int, int, const void *, unsigned int)'),
    getsockopt: call('int getsockopt(int, int, int, void *, void *)'),
    sendto: call('long sendto(int, const void *, unsigned long, int, const void *, unsigned int)'),
    recvmmsg: call('int recvmmsg(int, void *, unsigned int, int, void *)'),
    recvmsg: call('long recvmsg(int, void *, int)'),
    recv: call('long recv(int, void *, unsigned long, int)'),
    clockGettime: call('int clock_gettime(int, void *)'),
    close: call('int close(int)'),
    errno: () => koffi.errno(),
    addressOf: (buffer) => koffi.address(buffer),
  };
}
