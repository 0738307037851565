import type { Socket } from 'node:net';
import { descriptorOf } from '../../platform/socket-descriptor.js';
import { openTcpInfo, type ReadTcpInfo } from '../../probing/http/tcp-info.js';

// Numbers of the asm-generic Linux ABI: recv(2).
const truncate = 0x20;
const dontWait = 0x40;

/** What the ends of a throughput test ask of the kernel, beside what Node does. */
export interface KernelSockets {
  readonly readTcpInfo: ReadTcpInfo;
  /**
   * Throws away what a connection has received, at most so many bytes, without copying it (MSG_TRUNC of tcp(7)). Returns
   * how many they were: 0 where there are none, or the kernel cannot.
   */
  readonly discard: (socket: Socket, mostBytes: number) => number;
}

/** Opens it: on Linux through the C library, elsewhere it does nothing. */
export async function openKernelSockets(): Promise<KernelSockets> {
  const readTcpInfo = await openTcpInfo();
  try {
    const { loadLibc } = await import('../../platform/libc.js');
    const libc = loadLibc();
    return {
      readTcpInfo,
      discard(socket, mostBytes) {
        const fd = descriptorOf(socket);
        if (fd === undefined || mostBytes <= 0) return 0;
        return Math.max(0, libc.recv(fd, null, mostBytes, truncate | dontWait));
      },
    };
  } catch {
    return { readTcpInfo, discard: () => 0 };
  }
}
