/** An ICMP echo as it was on the wire. The address is the peer's, as a number. */
export interface Echo {
  readonly kind: 'request' | 'reply';
  readonly address: number;
  readonly id: number;
  readonly sequence: number;
}

const icmp = 1;
const replyType = 0;
const requestType = 8;
const fragmentBits = 0x3fff;

/**
 * Reads an IPv4 packet without its link header (RFC 791, 792). The result is undefined if the
 * packet is not a complete ICMP echo.
 */
export function readEcho(packet: Buffer): Echo | undefined {
  if (packet.length < 20 || packet.readUInt8(0) >> 4 !== 4) return undefined;
  const at = (packet.readUInt8(0) & 0x0f) * 4;
  if (at < 20 || packet.length < at + 8) return undefined;
  if (packet.readUInt8(9) !== icmp || (packet.readUInt16BE(6) & fragmentBits) !== 0)
    return undefined;
  const type = packet.readUInt8(at);
  if (type !== requestType && type !== replyType) return undefined;
  const isRequest = type === requestType;
  return {
    kind: isRequest ? 'request' : 'reply',
    address: packet.readUInt32BE(isRequest ? 16 : 12),
    id: packet.readUInt16BE(at + 4),
    sequence: packet.readUInt16BE(at + 6),
  };
}

/** Converts an IPv4 literal into the number that a packet holds. */
export function addressNumber(ip: string): number {
  return ip.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}
