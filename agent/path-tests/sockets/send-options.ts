import type { Libc } from '../../platform/libc.js';
import { setNumber } from '../../probing/icmp/kernel/open-icmp-socket.js';
import { addressAt, type Family } from '../../probing/icmp/kernel/socket-address.js';

// Levels and options of ip(7) and ipv6(7).
const hopLimit = { 4: [0, 2], 6: [41, 16] } as const;
const mtu = { 4: [0, 14], 6: [41, 24] } as const;
const mtuDiscover = { 4: [0, 10], 6: [41, 23] } as const;
const dontFragment6 = [41, 62] as const;
const flowLabelManager6 = [41, 32] as const;
const sendFlowInfo6 = [41, 33] as const;
const autoFlowLabel6 = [41, 70] as const;
/** Of struct in6_flowlabel_req: lease the label, whether it is new or not, with whoever has it too. */
const leaseLabel = { action: 0, share: 255, flags: 1, bytes: 32 } as const;
/** Larger labels cannot be leased where net.ipv6.flowlabel_state_ranges is set. */
export const maxFlowLabel = 0x7_ffff;
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

/**
 * Gives all packets of an IPv6 socket this flow label, and not one that the kernel draws for each connection.
 * Returns the label that they have: 0 where the kernel grants no other.
 * @param to the address that will be connected to; the label is written into it
 */
export function fixFlowLabel(libc: Libc, fd: number, to: Buffer, label: number): number {
  setNumber(libc, fd, ...autoFlowLabel6, 0);
  const { at, bytes } = addressAt[6];
  const request = Buffer.alloc(leaseLabel.bytes);
  to.copy(request, 0, at, at + bytes);
  request.writeUInt32BE(label, 16);
  request.writeUInt8(leaseLabel.action, 20);
  request.writeUInt8(leaseLabel.share, 21);
  request.writeUInt16LE(leaseLabel.flags, 22);
  const isLeased = libc.setsockopt(fd, ...flowLabelManager6, request, request.length) === 0;
  if (!isLeased || !setNumber(libc, fd, ...sendFlowInfo6, 1)) return 0;
  to.writeUInt32BE(label, 4);
  return label;
}
