import { isIPv6 } from 'node:net';
import type { Libc } from '../../platform/libc.js';
import { readExtendedError, readTimestamp } from '../../probing/icmp/kernel/control-message.js';
import { MessageRing } from '../../probing/icmp/kernel/message-ring.js';
import {
  nonBlockCloseOnExec,
  receiveTimesAndErrors,
  setNumber,
  solSocket,
} from '../../probing/icmp/kernel/open-icmp-socket.js';
import {
  familyNumber,
  socketAddress,
  type Family,
} from '../../probing/icmp/kernel/socket-address.js';
import { readSendTime, roundTripNs, type SendTime } from './kernel-clock.js';
import { fixFlowLabel, setHopLimit } from './send-options.js';

// Numbers of the asm-generic Linux ABI: socket(2), socket(7), tcp(7).
const stream = 1;
const reuseAddress = 2;
const socketError = 4;
const linger = 13;
const tcpLevel = 6;
const tcpInfo = 11;
/** ESTABLISHED and CLOSE_WAIT, `include/net/tcp_states.h`: the peer may have closed at once what it took. */
const connected: ReadonlySet<number> = new Set([1, 8]);
const rttAt = 68;
const infoBytes = 104;
const dontWait = 0x40;
const errorQueue = 0x2000;
/** Only of a connection that was there: one that is asked for is refused. */
const connectionReset = 104;
const connectionRefused = 111;
const inProgress = 115;

/** What became of one SYN. */
export type SynAnswer =
  | { readonly kind: 'target'; readonly isRefused: boolean; readonly rttNs: number }
  | {
      readonly kind: 'error';
      readonly from: string;
      readonly rttNs: number;
      readonly type: number;
      readonly code: number;
    }
  | { readonly kind: 'not-sent'; readonly errno: number };

/**
 * One connection attempt with a TTL and a source port of its own. It needs no rights: an ICMP error
 * about its SYN is in the socket's error queue, where the kernel has matched it with the connection.
 */
export class SynSocket {
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #family: Family;
  readonly #ring: MessageRing;
  #sent: SendTime | undefined;
  #errno = 0;

  /**
   * @param port the source port; 0: the kernel's choice
   */
  constructor(libc: Libc, ip: string, port: number) {
    this.#libc = libc;
    this.#family = isIPv6(ip) ? 6 : 4;
    this.#ring = new MessageRing(libc, { slots: 1, dataBytes: 128 });
    this.#fd = libc.socket(familyNumber[this.#family], stream | nonBlockCloseOnExec, tcpLevel);
    if (this.#fd < 0) {
      this.#errno = libc.errno();
      return;
    }
    setNumber(libc, this.#fd, solSocket, reuseAddress, 1);
    receiveTimesAndErrors(libc, this.#fd, this.#family);
    // Closed with a reset: nothing waits, and the port can be used again at once.
    const value = Buffer.alloc(8);
    value.writeInt32LE(1, 0);
    libc.setsockopt(this.#fd, solSocket, linger, value, value.length);
    const from = socketAddress(this.#family, undefined, port);
    if (libc.bind(this.#fd, from, from.length) !== 0) this.#errno = libc.errno();
  }

  /** The source port. */
  get port(): number {
    const address = socketAddress(this.#family);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(address.length);
    this.#libc.getsockname(this.#fd, address, bytes);
    return address.readUInt16BE(2);
  }

  /**
   * Sends the SYN.
   * @param flowLabel the flow label of IPv6, so that SYNs of one pair of ports are one flow
   */
  connect(ip: string, port: number, hops: number, flowLabel: number): void {
    if (this.#errno !== 0) return;
    setHopLimit(this.#libc, this.#fd, this.#family, hops);
    const to = socketAddress(this.#family, ip, port);
    if (this.#family === 6) fixFlowLabel(this.#libc, this.#fd, to, flowLabel);
    this.#sent = readSendTime(this.#libc);
    if (this.#libc.connect(this.#fd, to, to.length) === 0) return;
    const errno = this.#libc.errno();
    if (errno !== inProgress) this.#errno = errno;
  }

  /** What has come back; undefined for nothing yet. */
  answer(): SynAnswer | undefined {
    if (this.#errno === connectionRefused) return this.#refused();
    if (this.#errno !== 0 || !this.#sent) return { kind: 'not-sent', errno: this.#errno };
    const routerSays = this.#readError(this.#sent);
    if (routerSays) return routerSays;
    const error = this.#number(socketError);
    if (error === connectionRefused) return this.#refused();
    // An ICMP error may come between the two looks: then it is in the queue by the next one.
    if (error !== 0 && error !== connectionReset)
      return this.#readError(this.#sent) ?? { kind: 'not-sent', errno: error };
    const info = Buffer.alloc(infoBytes);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(infoBytes);
    if (this.#libc.getsockopt(this.#fd, tcpLevel, tcpInfo, info, bytes) !== 0) return undefined;
    if (error === 0 && !connected.has(info.readUInt8(0))) return undefined;
    const rttNs = 1000 * info.readUInt32LE(rttAt) || roundTripNs(this.#sent, undefined);
    return { kind: 'target', isRefused: false, rttNs };
  }

  close(): void {
    if (this.#fd >= 0) this.#libc.close(this.#fd);
  }

  #refused(): SynAnswer {
    const rttNs = this.#sent ? roundTripNs(this.#sent, undefined) : 0;
    return { kind: 'target', isRefused: true, rttNs };
  }

  #readError(sent: SendTime): SynAnswer | undefined {
    if (this.#ring.receiveOne(this.#fd, errorQueue | dontWait) < 0) return undefined;
    const { control } = this.#ring.message(0);
    const error = control && readExtendedError(control);
    if (error?.offender === undefined) return undefined;
    const { offender: from, type, code } = error;
    return {
      kind: 'error',
      from,
      type,
      code,
      rttNs: roundTripNs(sent, control && readTimestamp(control)),
    };
  }

  #number(option: number): number {
    const [value, bytes] = [Buffer.alloc(4), Buffer.alloc(4)];
    bytes.writeUInt32LE(4);
    this.#libc.getsockopt(this.#fd, solSocket, option, value, bytes);
    return value.readInt32LE(0);
  }
}
