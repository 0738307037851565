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
  const data = find(control, (level, type) => level === solSocket && type === timestampNs, 16);
  if (!data) return undefined;
  return {
    seconds: data.readUInt32LE(0) + data.readInt32LE(4) * 2 ** 32,
    nanoseconds: data.readUInt32LE(8),
  };
}

/** The TTL or hop limit that a message had left (IP_RECVTTL, IPV6_RECVHOPLIMIT), if it is there. */
export function readTtl(control: Buffer): number | undefined {
  const { ipv4, ipv6 } = ttls;
  const isTtl = (level: number, type: number): boolean =>
    (level === ipv4[0] && type === ipv4[1]) || (level === ipv6[0] && type === ipv6[1]);
  const ttl = find(control, isTtl, 4)?.readInt32LE(0);
  return ttl !== undefined && ttl >= 1 && ttl <= 255 ? ttl : undefined;
}

/** The extended error among a message's control data (IP_RECVERR, IPV6_RECVERR), if it is there. */
export function readExtendedError(control: Buffer): ExtendedError | undefined {
  const isError = (level: number, type: number): boolean =>
    (level === 0 && type === 11) || (level === 41 && type === 25);
  const data = find(control, isError, 16);
  if (!data) return undefined;
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

function find(
  control: Buffer,
  wanted: (level: number, type: number) => boolean,
  minBytes: number,
): Buffer | undefined {
  let at = 0;
  while (at + headerBytes <= control.length) {
    const length = control.readUInt32LE(at);
    if (length < headerBytes || at + length > control.length) return undefined;
    const isWanted = wanted(control.readInt32LE(at + 8), control.readInt32LE(at + 12));
    if (isWanted && length - headerBytes >= minBytes) {
      return control.subarray(at + headerBytes, at + length);
    }
    at += (length + 7) & ~7;
  }
  return undefined;
}
