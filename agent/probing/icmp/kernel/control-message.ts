import { literalOf } from './socket-address.js';

const headerBytes = 16;
const solSocket = 1;
const timestampNs = 35;
/** The TTL of an IPv4 packet and the hop limit of an IPv6 packet: level and type (ip(7), ipv6(7)). */
const ttls = { ipv4: [0, 2], ipv6: [41, 52] } as const;

/** What an ICMP error in the error queue says (struct sock_extended_err of ip(7)). */
export interface ExtendedError {
  readonly errno: number;
  /** 1 local, 2 ICMP, 3 ICMPv6. */
  readonly origin: number;
  readonly type: number;
  readonly code: number;
  /** The MTU that "fragmentation needed" or "packet too big" names; 0 where it names none. */
  readonly info: number;
  /** The sender of the ICMP error. */
  readonly offender: string | undefined;
}

/** When the kernel received a message, on CLOCK_REALTIME. */
export interface KernelTime {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** The receive timestamp among a message's control data (SO_TIMESTAMPNS), if it is there. */
export function readTimestamp(control: Buffer): KernelTime | undefined {
  const at = find(control, isTimestamp, 16);
  if (at === undefined) return undefined;
  return {
    seconds: control.readUInt32LE(at) + control.readInt32LE(at + 4) * 2 ** 32,
    nanoseconds: control.readUInt32LE(at + 8),
  };
}

/** The TTL or hop limit that a message had left (IP_RECVTTL, IPV6_RECVHOPLIMIT), if it is there. */
export function readTtl(control: Buffer): number | undefined {
  const at = find(control, isTtl, 4);
  if (at === undefined) return undefined;
  const ttl = control.readInt32LE(at);
  return ttl >= 1 && ttl <= 255 ? ttl : undefined;
}

/** The extended error among a message's control data (IP_RECVERR, IPV6_RECVERR), if it is there. */
export function readExtendedError(control: Buffer): ExtendedError | undefined {
  const at = find(control, isError, 16);
  if (at === undefined) return undefined;
  const data = control.subarray(at, at + dataBytes(control, at));
  const hasOffender =
    data.length >= 16 + 16 && (data.readUInt16LE(16) !== 10 || data.length >= 16 + 28);
  return {
    errno: data.readUInt32LE(0),
    origin: data.readUInt8(4),
    type: data.readUInt8(5),
    code: data.readUInt8(6),
    info: data.readUInt32LE(8),
    offender: hasOffender ? literalOf(data.subarray(16)) : undefined,
  };
}

type Wanted = (level: number, type: number) => boolean;

const isTimestamp: Wanted = (level, type) => level === solSocket && type === timestampNs;
const isTtl: Wanted = (level, type) =>
  (level === ttls.ipv4[0] && type === ttls.ipv4[1]) ||
  (level === ttls.ipv6[0] && type === ttls.ipv6[1]);
const isError: Wanted = (level, type) =>
  (level === 0 && type === 11) || (level === 41 && type === 25);

/** How much data a message has that begins there. */
function dataBytes(control: Buffer, at: number): number {
  return control.readUInt32LE(at - headerBytes) - headerBytes;
}

/** Where the data of the first such message begins; undefined if there is none. */
function find(control: Buffer, wanted: Wanted, minBytes: number): number | undefined {
  let at = 0;
  while (at + headerBytes <= control.length) {
    const length = control.readUInt32LE(at);
    if (length < headerBytes || at + length > control.length) return undefined;
    const isWanted = wanted(control.readInt32LE(at + 8), control.readInt32LE(at + 12));
    if (isWanted && length - headerBytes >= minBytes) return at + headerBytes;
    at += (length + 7) & ~7;
  }
  return undefined;
}
