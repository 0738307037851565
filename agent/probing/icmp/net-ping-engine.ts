import { randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type * as NetPing from 'net-ping';
import type { EventLoop, Measurement } from '../../platform/event-loop.js';
import { timeout, type Outcome } from '../../model/sample.js';
import { localFailure, noFamily } from '../../model/system-error.js';
import { lacksFamilyOf } from '../host-families.js';
import { cookieBytes, EchoTracker, sumOfCounts } from './echo-tracker.js';
import { createEchoProber, type EchoProber } from './echo-prober.js';
import { internetChecksum, readIcmp4, readIcmp6, sameAddress } from './packet.js';

const headerBytes = 8;
const receiveBufferBytes = 4 * 1024 * 1024;
const solSocket = 1;
const soRcvbuf = 8;

interface EchoRequest extends NetPing.Request {
  readonly settle: (outcome: Outcome) => void;
  watch: Measurement | undefined;
  sentNs: bigint;
}

interface EchoSession extends NetPing.Session {
  readonly tracker: EchoTracker;
  /** Sends one echo; the result cancels it. */
  echo(target: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void;
}

/**
 * The portable ICMP engine: net-ping's raw sockets, one session per family with a random id and no
 * hidden retry. The RTT is stamped right around the send and the receive; a reply counts only with
 * our id, its sequence, the random cookie of that very packet and the address that was asked. What
 * was taken while the event loop stood still is tainted.
 * @throws Error where the package did not build here or raw sockets are not permitted
 */
export async function createNetPingProber(eventLoop: EventLoop): Promise<EchoProber> {
  const { default: netPing } = (await import('net-ping')) as unknown as { default: typeof NetPing };
  const create = sessionFactory(netPing, eventLoop);
  const sessions = new Map<4 | 6, EchoSession>();
  const trackers = { 4: new EchoTracker(), 6: new EchoTracker() };

  function sessionOf(family: 4 | 6): EchoSession {
    const known = sessions.get(family);
    if (known) return known;
    const session = create(family, trackers[family]);
    // After a socket error the package cannot use that session again, so the next probe makes a new
    // one.
    const forget = (): void => {
      if (sessions.get(family) === session) sessions.delete(family);
    };
    session.on('error', forget);
    session.on('close', forget);
    sessions.set(family, session);
    return session;
  }

  sessionOf(4);
  return createEchoProber({
    echo: (ip, timeoutMs, settle) => sessionOf(isIPv6(ip) ? 6 : 4).echo(ip, timeoutMs, settle),
    counts: () => sumOfCounts(Object.values(trackers).map(({ counts }) => counts)),
    close() {
      for (const session of sessions.values()) session.close();
    },
  });
}

function sessionFactory(
  netPing: typeof NetPing,
  eventLoop: EventLoop,
): (family: 4 | 6, tracker: EchoTracker) => EchoSession {
  class CheckedSession extends netPing.Session implements EchoSession {
    readonly tracker: EchoTracker;
    readonly #read: typeof readIcmp4;

    constructor(family: 4 | 6, tracker: EchoTracker) {
      super({
        networkProtocol: family === 6 ? netPing.NetworkProtocol.IPv6 : netPing.NetworkProtocol.IPv4,
        packetSize: headerBytes + cookieBytes,
        retries: 0,
        sessionId: randomInt(1, 65535),
        ttl: 64,
      });
      this.tracker = tracker;
      this.#read = family === 6 ? readIcmp6 : readIcmp4;
      this.getSocket().setOption(solSocket, soRcvbuf, receiveBufferBytes);
    }

    echo(target: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void {
      const id = this.tracker.next();
      if (id === undefined) {
        settle({
          outcome: 'not-sent',
          reason: 'too-many-probes',
          detail: 'too many echo requests',
        });
        return () => undefined;
      }
      const callback = (error: Error | null): void => {
        this.tracker.settle(id, false);
        const outcome = outcomeOf(error, target);
        const isTainted = (request.watch?.stalledMs() ?? 0) > timeoutMs / 2;
        if (outcome.outcome === 'failure' && isTainted) settle({ ...outcome, tainted: true });
        else settle(outcome);
      };
      const request: EchoRequest = {
        id,
        target,
        timeout: timeoutMs,
        retries: 0,
        callback,
        settle,
        watch: undefined,
        sentNs: 0n,
      };
      this.tracker.send(id);
      this.reqQueue(request);
      return () => {
        if (this.reqs[id] !== request) return;
        this.reqRemove(id);
        this.tracker.settle(id, false);
      };
    }

    override toBuffer(request: NetPing.Request): Buffer {
      const packet = super.toBuffer(request);
      this.tracker.writeCookie(request.id, packet, headerBytes);
      packet.writeUInt16BE(0, 2);
      packet.writeUInt16BE(internetChecksum(packet), 2);
      return packet;
    }

    override reqRemove(id: number): NetPing.Request | undefined {
      const request = super.reqRemove(id) as EchoRequest | undefined;
      request?.watch?.end();
      return request;
    }

    override onBeforeSocketSend(request: NetPing.Request): void {
      super.onBeforeSocketSend(request);
      const echo = request as EchoRequest;
      echo.watch = eventLoop.startMeasurement();
      echo.sentNs = process.hrtime.bigint();
    }

    override onSocketMessage(packet: Buffer, source: string): void {
      const receivedNs = process.hrtime.bigint();
      const message = this.#read(packet);
      if (message?.id !== this.sessionId) return;
      const request = this.reqs[message.sequence] as EchoRequest | undefined;
      if (message.kind === 'error') {
        if (!request || !sameAddress(message.target, request.target)) return;
        const { kind, text } = message.failure;
        this.#answered(request, { outcome: 'failure', kind, detail: `${text} (says ${source})` });
        return;
      }
      const { sequence, payload } = message;
      const isOurs =
        request && sameAddress(source, request.target) && this.tracker.carries(sequence, payload);
      if (!isOurs) {
        this.tracker.countUnexpected(sequence, payload);
        return;
      }
      const rttNs = Number(receivedNs - request.sentNs);
      const tainted = request.watch?.isUnreliable(rttNs) ?? true;
      this.#answered(request, { outcome: 'reply', rttNs, ...(tainted && { tainted }) });
    }

    #answered(request: EchoRequest, outcome: Outcome): void {
      this.reqRemove(request.id);
      this.tracker.settle(request.id, true);
      request.settle(outcome);
    }

    /** After a stall the timer fires before a received reply is read, so that is read first. */
    override onTimeout(request: NetPing.Request): void {
      setImmediate(() => {
        if (this.reqs[request.id] === request) super.onTimeout(request);
      });
    }
  }
  return (family, tracker) => new CheckedSession(family, tracker);
}

function outcomeOf(error: Error | null, ip: string): Outcome {
  if (error === null) return { outcome: 'not-sent', reason: 'other', detail: 'no answer checked' };
  if (error.name === 'RequestTimedOutError') return timeout;
  const { message } = error;
  if (/no buffer space|temporarily unavailable/i.test(message)) {
    return { outcome: 'not-sent', reason: 'no-buffer', detail: message };
  }
  if (/cannot allocate/i.test(message)) {
    return { outcome: 'not-sent', reason: 'no-memory', detail: message };
  }
  if (/cannot assign requested address/i.test(message) && lacksFamilyOf(ip)) return noFamily;
  if (/socket/i.test(message)) return { outcome: 'not-sent', reason: 'other', detail: message };
  // Errors from the peer or the network come as messages. The package itself only fails to send.
  return localFailure(message.toLowerCase());
}
