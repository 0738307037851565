import type { Libc } from '../../platform/libc.js';
import { setNumber } from '../../probing/icmp/kernel/open-icmp-socket.js';
import type { Family } from '../../probing/icmp/kernel/socket-address.js';

// Levels and options of ip(7) and ipv6(7).
const hopLimit = { 4: [0, 2], 6: [41, 16] } as const;
const mtu = { 4: [0, 14], 6: [41, 24] } as const;
const mtuDiscover = { 4: [0, 10], 6: [41, 23] } as const;
const dontFragment6 = [41, 62] as const;
/** Sets DF, and heeds only the MTU of the interface, not what routers have said of the path. */
const probeMtu = 3;

/** Sets the TTL, or the hop limit of IPv6, of the packets that a socket sends. */
export function setHopLimit(libc: Libc, fd: number, family: Family, hops: number): void {
  const [level, option] = hopLimit[family];
  setNumber(libc, fd, level, option, hops);
}

/** No packet of this socket is cut in pieces, and what routers said of the path's MTU is not heeded. */
export function forbidFragments(libc: Libc, fd: number, family: Family): void {
  const [level, option] = mtuDiscover[family];
  setNumber(libc, fd, level, option, probeMtu);
  if (family === 6) setNumber(libc, fd, ...dontFragment6, 1);
}

/** The largest packet that the kernel thinks fits the path of a connected socket. */
export function pathMtu(libc: Libc, fd: number, family: Family): number | undefined {
  const [value, bytes] = [Buffer.alloc(4), Buffer.alloc(4)];
  bytes.writeUInt32LE(4);
  const [level, option] = mtu[family];
  return libc.getsockopt(fd, level, option, value, bytes) === 0 ? value.readInt32LE(0) : undefined;
}
