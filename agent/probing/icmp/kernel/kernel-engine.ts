import { randomFillSync, randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { Prober } from '../../prober.js';
import { failureOf, timedOut, type Outcome } from '../../sample.js';
import { createEchoProber } from '../echo-prober.js';
import { errorText, readEchoReply } from '../packet.js';
import { readExtendedError, readTimestamp } from './control.js';
import { cookieBytes, errnos, IcmpSocket } from './icmp-socket.js';
import { loadLibc, type Libc } from './libc.js';
import type { Message } from './message-ring.js';
import { addressAt, socketAddress, type Family } from './socket-address.js';

/** Stamps are the kernel's, so how often it is read decides nothing but when a verdict is known. */
const drainEveryMs = 20;

interface Waiting {
  readonly to: Buffer;
  readonly cookie: Buffer;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly sentMs: number;
  readonly deadlineMs: number;
  readonly dropsBefore: number;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * The ICMP engine of Linux: a reply's RTT is from right before the send to the kernel's own receive
 * timestamp, whatever this process does meanwhile. An RTT that cannot be, because the clock was
 * stepped, gives way to the monotonic upper bound.
 * @throws Error that says what is missing: the library, the architecture, or the right to send ICMP
 */
export function createKernelProber(): Prober {
  const libc = loadLibc();
  const channels = new Map<Family, Channel>([[4, new Channel(libc, 4)]]);
  const channelOf = (family: Family): Channel => {
    const known = channels.get(family) ?? new Channel(libc, family);
    channels.set(family, known);
    return known;
  };
  return createEchoProber({
    echo: (ip, timeoutMs, settle) => channelOf(isIPv6(ip) ? 6 : 4).echo(ip, timeoutMs, settle),
    close() {
      for (const channel of channels.values()) channel.close();
    },
  });
}

/** The echoes of one family that wait for their reply. */
class Channel {
  readonly #socket: IcmpSocket;
  readonly #waiting = new Map<number, Waiting>();
  #sequence = randomInt(0x10000);
  #timer: NodeJS.Timeout | undefined;
  #drops = 0;
  #closed = false;

  constructor(libc: Libc, family: Family) {
    this.#socket = new IcmpSocket(libc, family, randomInt(1, 0x10000));
  }

  /** Sends one echo; the result cancels it. */
  echo(ip: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void {
    const sequence = this.#freeSequence();
    if (sequence === undefined) {
      settle({ outcome: 'not-sent', detail: 'too many echo requests under way' });
      return () => undefined;
    }
    const to = socketAddress(this.#socket.family, ip);
    const cookie = randomFillSync(Buffer.allocUnsafe(cookieBytes));
    const sentMs = performance.now();
    let errno = this.#socket.send(sequence, cookie, to);
    if (errno !== 0 && errno !== errnos.EAGAIN) {
      // An error of an earlier packet, to someone else, comes up at the next call: read it, go on.
      this.#readErrors();
      errno = this.#socket.send(sequence, cookie, to);
    }
    if (errno !== 0) {
      const name = getSystemErrorName(-errno);
      settle(failureOf(name, name));
      return () => undefined;
    }
    const { seconds, nanoseconds } = this.#socket.sent;
    const waiting: Waiting = {
      ...{ to, cookie, seconds, nanoseconds, sentMs, settle },
      deadlineMs: sentMs + timeoutMs,
      dropsBefore: this.#drops,
    };
    this.#waiting.set(sequence, waiting);
    this.#timer ??= setTimeout(this.#tick, drainEveryMs);
    return () => {
      if (this.#waiting.get(sequence) === waiting) this.#waiting.delete(sequence);
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket.close();
  }

  /** What has come in is read before anything is given up, so a stall loses no reply. */
  readonly #tick = (): void => {
    this.#timer = undefined;
    for (let tries = 0; tries < 3 && !this.#socket.receive(this.#onMessage); tries++)
      this.#readErrors();
    this.#readErrors();
    this.#expire();
    if (this.#waiting.size > 0 && !this.#closed)
      this.#timer ??= setTimeout(this.#tick, drainEveryMs);
  };

  readonly #onMessage = (message: Message): void => {
    const { family, isRaw, id } = this.#socket;
    const reply = readEchoReply(message.data, family, isRaw && family === 4);
    if (reply?.id !== id) return;
    const waiting = this.#waiting.get(reply.sequence);
    if (!waiting || !isFrom(message.name, waiting.to, family)) return;
    if (!reply.payload.equals(waiting.cookie)) return;
    this.#waiting.delete(reply.sequence);
    waiting.settle({ outcome: 'reply', rttNs: rttOf(waiting, message) });
  };

  #readErrors(): void {
    const { family, id } = this.#socket;
    this.#socket.receiveErrors(({ name, data, control }) => {
      const error = control && readExtendedError(control);
      if (!error || data.length < 8 || data.readUInt16BE(4) !== id) return;
      const sequence = data.readUInt16BE(6);
      const waiting = this.#waiting.get(sequence);
      const text = errorText(family, error.type, error.code);
      if (!waiting || text === undefined || !isFrom(name, waiting.to, family)) return;
      this.#waiting.delete(sequence);
      const says = error.offender === undefined ? '' : ` (says ${error.offender})`;
      waiting.settle({ outcome: 'failure', detail: text + says });
    });
  }

  #expire(): void {
    const nowMs = performance.now();
    const late = [...this.#waiting].filter(([, { deadlineMs }]) => deadlineMs <= nowMs);
    if (late.length === 0) return;
    this.#drops = this.#socket.drops();
    for (const [sequence, { dropsBefore, settle }] of late) {
      this.#waiting.delete(sequence);
      // What this machine dropped may have been the reply: that is no failure of the peer.
      if (this.#drops > dropsBefore)
        settle({ outcome: 'not-sent', detail: 'replies were dropped on this host' });
      else settle({ outcome: 'failure', detail: timedOut });
    }
  }

  #freeSequence(): number | undefined {
    if (this.#waiting.size >= 0x8000) return undefined;
    do this.#sequence = (this.#sequence + 1) & 0xffff;
    while (this.#waiting.has(this.#sequence));
    return this.#sequence;
  }
}

function isFrom(name: Buffer, to: Buffer, family: Family): boolean {
  const { at, bytes } = addressAt[family];
  return name.length >= at + bytes && name.compare(to, at, at + bytes, at, at + bytes) === 0;
}

function rttOf({ seconds, nanoseconds, sentMs }: Waiting, { control }: Message): number {
  const boundNs = Math.round((performance.now() - sentMs) * 1e6);
  const stamp = control && readTimestamp(control);
  if (!stamp) return boundNs;
  const rttNs = (stamp.seconds - seconds) * 1e9 + (stamp.nanoseconds - nanoseconds);
  return rttNs > 0 && rttNs <= boundNs ? rttNs : boundNs;
}
