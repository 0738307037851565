import type { NotSentReason } from '../../../model/failure.js';
import type { Libc } from '../../../platform/libc.js';
import { filterProgram, identifierFilter } from './socket-filter.js';
import { familyNumber, socketAddress, type Family } from './socket-address.js';

// Numbers of the asm-generic Linux ABI: socket(2), icmp(7), ip(7), ipv6(7), socket(7).
const datagram = 2;
const raw = 3;
/** Flags of a socket's type. */
export const nonBlockCloseOnExec = 0o4000 | 0o2000000;
const icmpProtocol = { 4: 1, 6: 58 } as const;
export const solSocket = 1;
const attachFilter = 26;
const timestampNs = 35;
const receiveErrors = { 4: [0, 11], 6: [41, 25] } as const;
const receiveTtl = { 4: [0, 12], 6: [41, 51] } as const;

/** Error numbers of Linux that are told apart here. */
export const errnos = {
  EPERM: 1,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EMSGSIZE: 90,
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

/** An open ICMP socket. */
export interface OpenIcmpSocket {
  readonly fd: number;
  readonly isRaw: boolean;
  /** The identifier of its echoes: the kernel's choice on a datagram socket. */
  readonly id: number;
}

/**
 * Opens an ICMP socket, unprivileged where the machine allows it, else raw. It gets echo replies with
 * its own identifier, their receive times and TTLs, and ICMP errors in its error queue.
 * @param rawId the identifier to use where the socket has to be a raw one
 * @throws IcmpSocketError that says what the machine lacks
 */
export function openIcmpSocket(libc: Libc, family: Family, rawId: number): OpenIcmpSocket {
  const { fd, isRaw } = open(libc, family);
  receiveTimesAndErrors(libc, fd, family);
  const [level, option] = receiveTtl[family];
  setNumber(libc, fd, level, option, 1);
  const id = isRaw ? rawId : bindAny(libc, fd, family);
  if (isRaw) filterReplies(libc, fd, family, id);
  return { fd, isRaw, id };
}

/** Asks for the time at which each packet was received, and for ICMP errors in the error queue. */
export function receiveTimesAndErrors(libc: Libc, fd: number, family: Family): void {
  setNumber(libc, fd, solSocket, timestampNs, 1);
  const [level, option] = receiveErrors[family];
  setNumber(libc, fd, level, option, 1);
}

/** Sets an option of a socket. Returns whether the kernel took it. */
export function setNumber(
  libc: Libc,
  fd: number,
  level: number,
  option: number,
  value: number,
): boolean {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return libc.setsockopt(fd, level, option, buffer, 4) === 0;
}

/**
 * Filters in the kernel, so that answers to other processes do not fill the queue. A set bit of the
 * first filter drops a type: only echo replies pass, and errors come by the error queue. The second
 * filter passes only one identifier.
 */
function filterReplies(libc: Libc, fd: number, family: Family, id: number): void {
  const filter = Buffer.alloc(family === 4 ? 4 : 32, 0xff);
  const type = family === 4 ? 0 : 129;
  filter.writeUInt8(filter.readUInt8(type >> 3) & ~(1 << (type & 7)), type >> 3);
  libc.setsockopt(fd, family === 4 ? 255 : 58, 1, filter, filter.length);
  const program = identifierFilter(family, id);
  const header = filterProgram(program, libc.addressOf(program));
  libc.setsockopt(fd, solSocket, attachFilter, header, header.length);
}

/** The "port" of a datagram ICMP socket is its identifier, unique only where the kernel chose it. */
function bindAny(libc: Libc, fd: number, family: Family): number {
  const address = socketAddress(family);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(address.length);
  libc.bind(fd, address, address.length);
  libc.getsockname(fd, address, bytes);
  return address.readUInt16BE(2);
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
