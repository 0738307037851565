import { readAddress } from '../../model/address.js';
import type { FailureKind } from '../../model/failure.js';

/** An ICMP packet that concerns one of this process's echo requests. */
export type IcmpMessage =
  | {
      readonly kind: 'reply';
      readonly id: number;
      readonly sequence: number;
      readonly payload: Buffer;
    }
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly sequence: number;
      readonly target: string;
      readonly failure: IcmpFailure;
    };

/** What an ICMP error says of its target. */
export interface IcmpFailure {
  readonly kind: FailureKind;
  readonly text: string;
}

const v4Unreachable = [
  'network unreachable',
  'host unreachable',
  'protocol unreachable',
  'port unreachable',
  'fragmentation needed',
  'source route failed',
];
const prohibited = 'administratively prohibited';
const v4Prohibited = new Set([9, 10, 13]);
const v6Prohibited = new Set([1, 5, 6]);
const v6Unreachable = [
  'no route to host',
  prohibited,
  'beyond scope of source address',
  'address unreachable',
  'port unreachable',
  'source address failed policy',
  'reject route',
];

/**
 * Reads a packet as a raw IPv4 socket delivers it, IP header included (RFC 792). Undefined if it is
 * too short, or neither an echo reply nor an error about an echo request.
 */
export function readIcmp4(packet: Buffer): IcmpMessage | undefined {
  const at = ipv4HeaderBytes(packet, 0);
  if (at === undefined || packet.length < at + 8) return undefined;
  const [type, code] = [packet.readUInt8(at), packet.readUInt8(at + 1)];
  if (type === 0) return echo(packet, at);
  const failure = icmpFailure(4, type, code);
  if (failure === undefined) return undefined;
  const inner = at + 8;
  const innerBytes = ipv4HeaderBytes(packet, inner);
  if (innerBytes === undefined || packet.length < inner + innerBytes + 8) return undefined;
  if (packet.readUInt8(inner + 9) !== 1 || packet.readUInt8(inner + innerBytes) !== 8)
    return undefined;
  const target = [...packet.subarray(inner + 16, inner + 20)].join('.');
  return { kind: 'error', ...header(packet, inner + innerBytes), target, failure };
}

/** Reads a packet as a raw ICMPv6 socket delivers it, without an IP header (RFC 4443). */
export function readIcmp6(packet: Buffer): IcmpMessage | undefined {
  if (packet.length < 8) return undefined;
  const [type, code] = [packet.readUInt8(0), packet.readUInt8(1)];
  if (type === 129) return echo(packet, 0);
  const failure = icmpFailure(6, type, code);
  if (failure === undefined) return undefined;
  const inner = 8 + 40;
  if (packet.length < inner + 8 || packet.readUInt8(8) >> 4 !== 6) return undefined;
  if (packet.readUInt8(8 + 6) !== 58 || packet.readUInt8(inner) !== 128) return undefined;
  const groups = Array.from({ length: 8 }, (_, i) =>
    packet.readUInt16BE(8 + 24 + 2 * i).toString(16),
  );
  return { kind: 'error', ...header(packet, inner), target: canonical(groups.join(':')), failure };
}

/**
 * What an ICMP error of that type and code says of its target; undefined for messages that do not mean
 * that it cannot be reached (redirects and the like).
 */
export function icmpFailure(family: 4 | 6, type: number, code: number): IcmpFailure | undefined {
  if (family === 4) {
    if (type === 11) return { kind: 'unreachable', text: 'time to live exceeded' };
    if (type !== 3) return undefined;
    if (v4Prohibited.has(code)) return { kind: 'prohibited', text: prohibited };
    return { kind: 'unreachable', text: v4Unreachable[code] ?? 'destination unreachable' };
  }
  if (type === 3) return { kind: 'unreachable', text: 'hop limit exceeded' };
  if (type !== 1) return undefined;
  const kind = v6Prohibited.has(code) ? 'prohibited' : 'unreachable';
  return { kind, text: v6Unreachable[code] ?? 'destination unreachable' };
}

/** An echo reply as a socket delivers it, with or without an IPv4 header before it. */
export function readEchoReply(
  packet: Buffer,
  family: 4 | 6,
  hasHeader: boolean,
): EchoReply | undefined {
  const at = hasHeader ? ipv4HeaderBytes(packet, 0) : 0;
  if (at === undefined || packet.length < at + 8) return undefined;
  return packet.readUInt8(at) === (family === 4 ? 0 : 129) ? echo(packet, at) : undefined;
}

/** Two spellings of an address are one. */
export function sameAddress(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** The Internet checksum (RFC 1071) of a packet whose checksum field is zero. */
export function internetChecksum(packet: Buffer): number {
  let sum = packet.length % 2 === 1 ? packet.readUInt8(packet.length - 1) << 8 : 0;
  for (let at = 0; at + 1 < packet.length; at += 2) sum += packet.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

type EchoReply = Extract<IcmpMessage, { kind: 'reply' }>;

function echo(packet: Buffer, at: number): EchoReply {
  const { id, sequence } = header(packet, at);
  return { kind: 'reply', id, sequence, payload: packet.subarray(at + 8) };
}

function header(packet: Buffer, at: number): { id: number; sequence: number } {
  return { id: packet.readUInt16BE(at + 4), sequence: packet.readUInt16BE(at + 6) };
}

function ipv4HeaderBytes(packet: Buffer, at: number): number | undefined {
  if (packet.length < at + 20 || packet.readUInt8(at) >> 4 !== 4) return undefined;
  const bytes = (packet.readUInt8(at) & 0x0f) * 4;
  return bytes >= 20 ? bytes : undefined;
}

function canonical(ip: string): string {
  const address = readAddress(ip);
  return 'ip' in address ? address.ip : ip;
}
