import type { Socket } from 'node:net';
import { descriptorOf } from '../../platform/socket-descriptor.js';

/** What the kernel knows of a connection (TCP_INFO of tcp(7), struct tcp_info). */
export interface TcpInfo {
  readonly rttNs: number;
  /** Segments sent again since the first SYN. */
  readonly retransmissions: number;
  /**
   * Milliseconds since it last received data or the answer to its SYN, as coarse as the kernel's
   * tick (mostly 4).
   */
  readonly sinceReceivedMs: number;
}

/** Reads it from a socket that is open; undefined where it cannot be read. */
export type ReadTcpInfo = (socket: Socket) => TcpInfo | undefined;

const tcpLevel = 6;
const tcpInfo = 11;
const sinceReceivedAt = 52;
const rttAt = 68;
const totalRetransmissionsAt = 100;
const neededBytes = 104;

/** Returns a reader of TCP_INFO: on Linux through the C library, elsewhere none. */
export async function openTcpInfo(): Promise<ReadTcpInfo> {
  try {
    const { loadLibc } = await import('../../platform/libc.js');
    const libc = loadLibc();
    const info = Buffer.alloc(neededBytes);
    const bytes = Buffer.alloc(4);
    return (socket) => {
      const fd = descriptorOf(socket);
      if (fd === undefined) return undefined;
      bytes.writeUInt32LE(neededBytes);
      if (libc.getsockopt(fd, tcpLevel, tcpInfo, info, bytes) !== 0) return undefined;
      if (bytes.readUInt32LE() < neededBytes) return undefined;
      return {
        rttNs: info.readUInt32LE(rttAt) * 1000,
        retransmissions: info.readUInt32LE(totalRetransmissionsAt),
        sinceReceivedMs: info.readUInt32LE(sinceReceivedAt),
      };
    };
  } catch {
    return () => undefined;
  }
}
