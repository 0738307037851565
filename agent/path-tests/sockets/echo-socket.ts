import { randomBytes, randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Libc } from '../../platform/libc.js';
import {
  readExtendedError,
  readTimestamp,
  type ExtendedError,
} from '../../probing/icmp/kernel/control-message.js';
import { MessageRing, type Message } from '../../probing/icmp/kernel/message-ring.js';
import { errnos, openIcmpSocket } from '../../probing/icmp/kernel/open-icmp-socket.js';
import {
  addressAt,
  sockaddrBytes,
  socketAddress,
  type Family,
} from '../../probing/icmp/kernel/socket-address.js';
import { internetChecksum, readEchoReply } from '../../probing/icmp/packet.js';
import { readSendTime, roundTripNs, type SendTime } from './kernel-clock.js';
import { forbidFragments, pathMtu, setHopLimit } from './send-options.js';

/** The bytes of a packet before the payload of its echo. */
export const echoHeaderBytes = { 4: 20 + 8, 6: 40 + 8 } as const;
const cookieBytes = 8;
/** The cookie, and two bytes that keep the checksum of all echoes the same. */
const ownBytes = cookieBytes + 2;
/** The largest IP packet. */
export const maxPacketBytes = 65_535;

const dontWait = 0x40;
const errorQueue = 0x2000;
const localOrigin = 1;
const echoRequest = { 4: 8, 6: 128 } as const;
const maxSendTries = 8;

/** What came back for an echo. */
export type EchoAnswer =
  | { readonly kind: 'reply'; readonly sequence: number; readonly rttNs: number }
  | {
      readonly kind: 'error';
      readonly sequence: number;
      readonly rttNs: number;
      /** Who sent the ICMP error. */
      readonly from: string;
      readonly type: number;
      readonly code: number;
      /** The MTU that it names; 0 for none. */
      readonly mtu: number;
    };

/** What became of a send. */
export type SendResult =
  | { readonly sequence: number }
  /** The packet is larger than the interface takes. */
  | { readonly tooBigFor: number }
  | { readonly errno: number };

interface SentEcho extends SendTime {
  readonly payloadBytes: number;
}

/**
 * Echoes to one address, with a TTL and a size of their own. All have the same identifier and the same
 * checksum, so that routers which share the load between paths send all of them the same way. Only an
 * answer from the address that was asked counts, with our identifier, sequence, cookie and size, and
 * only an ICMP error that quotes a packet of ours.
 */
export class TestEchoSocket {
  readonly family: Family;
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #isRaw: boolean;
  readonly #id: number;
  readonly #to: Buffer;
  readonly #ring: MessageRing;
  readonly #cookie = randomBytes(cookieBytes);
  readonly #sent = new Map<number, SentEcho>();
  #sequence = randomInt(0x10000);
  #answers: EchoAnswer[] = [];

  /**
   * @param maxBytes the largest packet that will be sent
   * @throws IcmpSocketError that says what the machine lacks
   */
  constructor(libc: Libc, ip: string, maxBytes: number) {
    this.#libc = libc;
    this.family = isIPv6(ip) ? 6 : 4;
    const { fd, isRaw, id } = openIcmpSocket(libc, this.family, randomInt(1, 0x10000));
    this.#fd = fd;
    this.#isRaw = isRaw;
    this.#id = id;
    this.#to = socketAddress(this.family, ip);
    // A raw socket of IPv4 gets the IP header too, with its options.
    this.#ring = new MessageRing(libc, { slots: 4, dataBytes: maxBytes + 60 });
  }

  /** The largest packet that the kernel thinks fits the path; undefined where there is no route. */
  connect(): number | undefined {
    const length = sockaddrBytes[this.family];
    if (this.#libc.connect(this.#fd, this.#to, length) !== 0) return undefined;
    return pathMtu(this.#libc, this.#fd, this.family);
  }

  forbidFragments(): void {
    forbidFragments(this.#libc, this.#fd, this.family);
  }

  setHopLimit(hops: number): void {
    setHopLimit(this.#libc, this.#fd, this.family, hops);
  }

  /** Sends one echo in an IP packet of so many bytes. */
  send(packetBytes: number): SendResult {
    const payloadBytes = Math.max(packetBytes - echoHeaderBytes[this.family], ownBytes);
    const sequence = (this.#sequence = (this.#sequence + 1) % 0x10000);
    const packet = this.#packetOf(sequence, payloadBytes);
    // The call may return the error of an earlier packet: that is read, and the call repeated.
    for (let tries = 0; ; tries++) {
      const time = readSendTime(this.#libc);
      const length = sockaddrBytes[this.family];
      const result = this.#libc.sendto(this.#fd, packet, packet.length, dontWait, this.#to, length);
      if (result >= 0) {
        this.#sent.set(sequence, { ...time, payloadBytes });
        return { sequence };
      }
      const errno = this.#libc.errno();
      const tooBigFor = this.#readErrors();
      if (errno === errnos.EMSGSIZE && tooBigFor !== undefined) return { tooBigFor };
      if (tries >= maxSendTries) return { errno };
    }
  }

  /** All that has come since the last call. */
  receive(): EchoAnswer[] {
    // An error that is read at the same time makes one receive fail.
    for (let tries = 0; tries < maxSendTries; tries++) {
      while (this.#ring.receiveOne(this.#fd, dontWait) >= 0) this.#onMessage(this.#ring.message(0));
      if (this.#libc.errno() === errnos.EAGAIN) break;
    }
    this.#readErrors();
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  close(): void {
    this.#libc.close(this.#fd);
  }

  #packetOf(sequence: number, payloadBytes: number): Buffer {
    const packet = Buffer.alloc(8 + payloadBytes);
    packet.writeUInt8(echoRequest[this.family], 0);
    packet.writeUInt16BE(this.#id, 4);
    packet.writeUInt16BE(sequence, 6);
    this.#cookie.copy(packet, 8);
    // Together with the sequence it is always the same sum.
    packet.writeUInt16BE(~sequence & 0xffff, 8 + cookieBytes);
    // The kernel computes the checksum on datagram and on all ICMPv6 sockets.
    if (this.#isRaw && this.family === 4) packet.writeUInt16BE(internetChecksum(packet), 2);
    return packet;
  }

  #onMessage({ name, data, control }: Message): void {
    const reply = readEchoReply(data, this.family, this.#isRaw && this.family === 4);
    if (reply?.id !== this.#id || !this.#isTarget(name)) return;
    const { sequence, payload } = reply;
    const sent = this.#sent.get(sequence);
    if (sent?.payloadBytes !== payload.length || !this.#hasCookie(payload)) return;
    this.#sent.delete(sequence);
    const rttNs = roundTripNs(sent, control && readTimestamp(control));
    this.#answers.push({ kind: 'reply', sequence, rttNs });
  }

  /** Returns the MTU of the interface if this host itself refused a packet as too large. */
  #readErrors(): number | undefined {
    let interfaceMtu: number | undefined;
    while (this.#ring.receiveOne(this.#fd, errorQueue | dontWait) >= 0) {
      const message = this.#ring.message(0);
      const error = message.control && readExtendedError(message.control);
      if (!error) continue;
      if (error.origin !== localOrigin) this.#onError(message, error);
      else if (error.errno === errnos.EMSGSIZE) interfaceMtu = error.info;
    }
    return interfaceMtu;
  }

  #onError({ name, data, control }: Message, error: ExtendedError): void {
    if (error.offender === undefined || !this.#isTarget(name) || data.length < 8) return;
    if (data.readUInt16BE(4) !== this.#id) return;
    const sequence = data.readUInt16BE(6);
    const sent = this.#sent.get(sequence);
    // A router may quote only eight bytes. What it quotes beyond must be ours.
    const quoted = data.subarray(8);
    if (!sent || (quoted.length >= cookieBytes && !this.#hasCookie(quoted))) return;
    this.#answers.push({
      kind: 'error',
      sequence,
      rttNs: roundTripNs(sent, control && readTimestamp(control)),
      from: error.offender,
      type: error.type,
      code: error.code,
      mtu: error.info,
    });
  }

  #hasCookie(payload: Buffer): boolean {
    return payload.length >= cookieBytes && this.#cookie.compare(payload, 0, cookieBytes) === 0;
  }

  #isTarget(name: Buffer): boolean {
    const { at, bytes } = addressAt[this.family];
    return (
      name.length >= at + bytes && this.#to.compare(name, at, at + bytes, at, at + bytes) === 0
    );
  }
}
