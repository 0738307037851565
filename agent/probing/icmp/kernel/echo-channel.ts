import { getSystemErrorName } from 'node:util';
import { timeout, type Outcome } from '../../../model/sample.js';
import { outcomeOfSendError } from '../../../model/system-error.js';
import { systemClock, tickToleranceMs } from '../../../platform/clock.js';
import { lacksFamilyOf } from '../../host-families.js';
import { EchoTracker, type EchoCounts } from '../echo-tracker.js';
import { icmpFailure, readEchoReply } from '../packet.js';
import { ClockStepDetector } from './clock-step.js';
import { readExtendedError, readTimestamp, readTtl } from './control-message.js';
import type { IcmpSocket } from './icmp-socket.js';
import type { Message } from './message-ring.js';
import { ReceiveQueue } from './receive-queue.js';
import { SendInterruptionDetector } from './send-interruption.js';
import { addressAt, socketAddress, type Family } from './socket-address.js';

/**
 * How often replies are read. The kernel takes the timestamps, so this only decides how soon a verdict is known: mostly
 * on the tick that sends the next echoes. More replies than those of a steady round must not fill the queue.
 */
const readAfterMs = { few: 50 - tickToleranceMs, many: 20 } as const;
const many = 64;

/** More than the paths of the largest cluster that one agent can probe at a useful rate. */
const maxAddresses = 65_536;

/** How often a send is tried while errors of other packets come in. */
const maxSendTries = 8;

/** The origin of an error from this host itself, not from an ICMP message. */
const localOrigin = 1;

interface PendingEcho {
  readonly sequence: number;
  readonly to: Buffer;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly sentMs: number;
  readonly deadlineMs: number;
  readonly droppedBefore: number;
  /** The process lost its processor between the stamp and the packet. */
  readonly interrupted: boolean;
  readonly settle: (outcome: Outcome) => void;
}

/** The echoes of one family that wait for their reply. */
export class EchoChannel {
  readonly #socket: IcmpSocket;
  readonly #tracker = new EchoTracker();
  readonly #pending = new Map<number, PendingEcho>();
  readonly #addresses = new Map<string, Buffer>();
  readonly #clockStep: ClockStepDetector;
  readonly #queue: ReceiveQueue;
  #cancelTimer: (() => void) | undefined;
  readonly #sendInterruption = new SendInterruptionDetector();
  #closed = false;

  constructor(socket: IcmpSocket) {
    this.#socket = socket;
    this.#clockStep = new ClockStepDetector(() => socket.clockLead());
    this.#queue = new ReceiveQueue(() => socket.queueState());
  }

  get counts(): EchoCounts {
    return this.#tracker.counts;
  }

  /** Sends one echo; the result cancels it. */
  echo(ip: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void {
    const sequence = this.#tracker.next();
    if (sequence === undefined) {
      settle({ outcome: 'not-sent', reason: 'too-many-probes', detail: 'too many echo requests' });
      return () => undefined;
    }
    const to = this.#addressOf(ip);
    const sentMs = performance.now();
    const fault = this.#send(sequence, to, ip);
    if (fault) {
      settle(fault);
      return () => undefined;
    }
    this.#tracker.send(sequence);
    const waiting: PendingEcho = {
      sequence,
      to,
      seconds: this.#socket.sent.seconds,
      nanoseconds: this.#socket.sent.nanoseconds,
      sentMs,
      deadlineMs: sentMs + timeoutMs,
      droppedBefore: this.#queue.dropped,
      interrupted: this.#sendInterruption.wasInterrupted(this.#socket.sendNs),
      settle,
    };
    this.#pending.set(sequence, waiting);
    this.#readSoon();
    return () => {
      if (this.#pending.get(sequence) === waiting) this.#end(sequence, false);
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTimer?.();
    this.#socket.close();
  }

  /**
   * Hands one echo to the kernel. The call may return an error of an earlier packet to another
   * address: then that error is read, what came in is read, and the call is repeated. If it fails
   * twice in a row and there is nothing to read, the error is that of this packet.
   */
  #send(sequence: number, to: Buffer, ip: string): Outcome | undefined {
    let wasQuiet = false;
    for (let tries = 0; tries < maxSendTries; tries++) {
      const errno = this.#socket.send(sequence, this.#tracker, to);
      if (errno === 0) return undefined;
      const isQuiet = this.#readErrors() === 0;
      if (isQuiet && wasQuiet) {
        return outcomeOfSendError(getSystemErrorName(-errno), () => lacksFamilyOf(ip));
      }
      wasQuiet = isQuiet;
    }
    const detail = 'errors of other packets kept it from being sent';
    return { outcome: 'not-sent', reason: 'other', detail };
  }

  /** Received replies are read before any probe times out, so a stall loses no reply. */
  readonly #drain = (): void => {
    this.#cancelTimer = undefined;
    this.#clockStep.check();
    this.#queue.beforeReading();
    for (let tries = 0; tries < 3 && !this.#socket.receive(this.#onMessage); tries++)
      this.#readErrors();
    this.#queue.afterReading();
    this.#tracker.counts.dropped = this.#queue.dropped;
    this.#readErrors();
    this.#expire();
    if (this.#pending.size > 0 && !this.#closed) this.#readSoon();
  };

  #readSoon(): void {
    const afterMs = this.#pending.size > many ? readAfterMs.many : readAfterMs.few;
    this.#cancelTimer ??= systemClock.after(afterMs, this.#drain);
  }

  readonly #onMessage = (message: Message): void => {
    const { family, isRaw, id } = this.#socket;
    const reply = readEchoReply(message.data, family, isRaw && family === 4);
    if (reply?.id !== id) return;
    const { sequence, payload } = reply;
    const waiting = this.#pending.get(sequence);
    const isOurs =
      waiting &&
      isFrom(message.name, waiting.to, family) &&
      this.#tracker.carries(sequence, payload);
    if (!isOurs) {
      this.#tracker.countUnexpected(sequence, payload);
      return;
    }
    this.#end(sequence, true);
    waiting.settle(this.#timed(waiting, message));
  };

  /**
   * Settles the probes named in the error queue. Returns how many errors there were, of any probe
   * or none.
   */
  #readErrors(): number {
    const { family, id } = this.#socket;
    return this.#socket.receiveErrors(({ name, data, control }) => {
      const error = control && readExtendedError(control);
      if (!error || data.length < 8 || data.readUInt16BE(4) !== id) return;
      const sequence = data.readUInt16BE(6);
      const waiting = this.#pending.get(sequence);
      if (!waiting || !isFrom(name, waiting.to, family)) return;
      if (error.origin === localOrigin) {
        this.#end(sequence, false);
        // The packet was taken first, so there was an address to send it from.
        waiting.settle(outcomeOfSendError(getSystemErrorName(-error.errno), () => false));
        return;
      }
      const failure = icmpFailure(family, error.type, error.code);
      if (failure === undefined) return;
      this.#end(sequence, true);
      const { kind, text } = failure;
      const says = error.offender === undefined ? '' : ` (says ${error.offender})`;
      waiting.settle({ outcome: 'failure', kind, detail: text + says });
    });
  }

  #expire(): void {
    const nowMs = performance.now();
    for (const { sequence, deadlineMs, droppedBefore, settle } of this.#pending.values()) {
      if (deadlineMs > nowMs) continue;
      this.#end(sequence, false);
      // The packets that this machine dropped may include the reply. Then it is no failure of the
      // peer.
      if (this.#queue.excuse(droppedBefore))
        settle({
          outcome: 'not-sent',
          reason: 'dropped',
          detail: 'replies were dropped on this host',
        });
      else settle(timeout);
    }
  }

  /** Kept for the next probe of the same path. */
  #addressOf(ip: string): Buffer {
    const known = this.#addresses.get(ip);
    if (known) return known;
    if (this.#addresses.size >= maxAddresses) this.#addresses.clear();
    const address = socketAddress(this.#socket.family, ip);
    this.#addresses.set(ip, address);
    return address;
  }

  #end(sequence: number, answered: boolean): void {
    this.#pending.delete(sequence);
    this.#tracker.settle(sequence, answered);
  }

  #timed(
    { seconds, nanoseconds, sentMs, interrupted }: PendingEcho,
    { control }: Message,
  ): Outcome {
    const boundNs = Math.round((performance.now() - sentMs) * 1e6);
    const stamp = control && readTimestamp(control);
    const ttl = control && readTtl(control);
    const stampedNs = stamp ? (stamp.seconds - seconds) * 1e9 + stamp.nanoseconds - nanoseconds : 0;
    const isPossible = stampedNs > 0 && stampedNs <= boundNs;
    const reply = { outcome: 'reply', rttNs: isPossible ? stampedNs : boundNs } as const;
    const tainted = !isPossible || interrupted || this.#clockStep.steppedSince(sentMs);
    if (ttl === undefined) return tainted ? { ...reply, tainted } : reply;
    return tainted ? { ...reply, tainted, ttl } : { ...reply, ttl };
  }
}

function isFrom(name: Buffer, to: Buffer, family: Family): boolean {
  const { at, bytes } = addressAt[family];
  return name.length >= at + bytes && name.compare(to, at, at + bytes, at, at + bytes) === 0;
}
