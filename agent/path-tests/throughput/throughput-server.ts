import type { Socket } from 'node:net';
import type { Signer } from '../../model/signed-fields.js';
import { createNonces } from '../../platform/nonces.js';
import { openingMs, readAgreement, sessionMs, type Agreement, type Way } from './agreement.js';
import type { KernelSockets } from './kernel-sockets.js';
import { MessageLink } from './message-link.js';
import type { OneAtATime } from './one-at-a-time.js';
import {
  decodeRequest,
  encodeOpened,
  encodeRefused,
  type Joining,
  type Opening,
} from './opening.js';
import { receive } from './receive.js';
import { send } from './send.js';
import { ThroughputError, type Refusal } from './throughput-error.js';

export interface ThroughputServerOptions {
  readonly keys: Signer;
  /** Whether to take part where there is no key. */
  readonly isInsecure: boolean;
  /** Whether a name is that of the node that this end is on. */
  readonly isOwnName: (name: string) => boolean;
  /** Whether a node may ask, from that address. */
  readonly isPeer: (name: string, ip: string) => boolean;
  readonly turn: OneAtATime;
  readonly openKernel: () => Promise<KernelSockets>;
  /** Called when a test begins, and when it is over. */
  readonly log: (facts: object, message: string) => void;
}

/** What a connection that asks for a test is answered. Where it is taken over, its socket is. */
export interface ThroughputAnswer {
  readonly header: string;
  readonly takeOver?: (socket: Socket) => void;
}

/** Sessions that were opened and have not begun. Who has the key opens one at a time. */
const maxOpening = 8;
const ways: readonly string[] = ['to', 'from'] satisfies Way[];

/** The streams that are to join a measurement. */
interface Gathering {
  readonly token: string;
  readonly streams: (Socket | undefined)[];
  readonly onJoined: () => void;
}

/**
 * The end of throughput tests that is asked: an agent, or an endpoint. It sends and receives at most what was agreed, for
 * who has the mesh key, one test at a time: one session, or two of the same test where an agent is the endpoint too.
 */
export class ThroughputServer {
  readonly #options: ThroughputServerOptions;
  readonly #createNonce = createNonces();
  readonly #links = new Set<MessageLink>();
  #gathering: Gathering | undefined;
  #isMeasuring = false;

  constructor(options: ThroughputServerOptions) {
    this.#options = options;
  }

  /** Takes what a connection says that it is for, and where it comes from. */
  answer(header: string, ip: string): ThroughputAnswer {
    const { keys, isInsecure, isOwnName, isPeer } = this.#options;
    const refuse = (why: Refusal): ThroughputAnswer => ({ header: encodeRefused(why) });
    if (!keys.isKeyed && !isInsecure) return refuse('no-key');
    const request = decodeRequest(header, keys);
    if (typeof request === 'string') return refuse(request);
    if ('joining' in request) return this.#join(request.joining) ?? refuse('streams');
    const { opening } = request;
    if (!isOwnName(opening.to)) return refuse('node');
    if (!isPeer(opening.from, ip)) return refuse('stranger');
    if (this.#links.size > maxOpening) return refuse('busy');
    const nonce = this.#createNonce();
    return {
      header: encodeOpened(nonce, opening, keys),
      takeOver: (socket) => void this.#begin(socket, opening, nonce),
    };
  }

  /** Ends what runs. */
  stop(): void {
    for (const link of this.#links) link.close();
  }

  async #begin(socket: Socket, opening: Opening, nonce: string): Promise<void> {
    const { keys, turn, log } = this.#options;
    const link = new MessageLink({ socket, keys, nonces: [opening.nonce, nonce], side: 'asked' });
    this.#links.add(link);
    let release: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const { from, test } = opening;
    try {
      const agreement = readAgreement((await link.expect('hold', openingMs)).fields);
      if (!agreement) {
        link.refuse('limits');
        return;
      }
      release = turn.take(test === undefined ? undefined : `${from} ${test}`);
      if (!release) {
        link.refuse('busy');
        return;
      }
      timer = setTimeout(() => link.close(), sessionMs(agreement));
      log({ from, ...agreement }, 'a throughput test of another node begins');
      link.send('held');
      await this.#measure(link, agreement, from);
      log({ from }, 'a throughput test of another node is over');
    } catch (error) {
      if (!(error instanceof ThroughputError)) throw error;
      log({ from, reason: error.message }, 'a throughput test of another node ended midway');
    } finally {
      clearTimeout(timer);
      release?.();
      this.#links.delete(link);
      // What was refused is on its way.
      if (!socket.writableEnded) link.close();
    }
  }

  /** Makes the measurements that are asked for, each way once, until the other end goes. */
  async #measure(link: MessageLink, agreement: Agreement, from: string): Promise<void> {
    const { openKernel, log } = this.#options;
    const kernel = await openKernel();
    const refuse = (why: Refusal, reason: string): ThroughputError => {
      link.refuse(why);
      return new ThroughputError(reason);
    };
    const left = new Set(ways);
    for (;;) {
      const asked = await link.next(sessionMs(agreement));
      if (asked.type === 'end') return;
      const way = asked.fields.get('way') ?? '';
      if (asked.type !== 'run' || !left.delete(way)) {
        throw refuse('malformed', 'asked for what the protocol does not have');
      }
      // Two sessions of one test share the turn, and would measure each other.
      if (this.#isMeasuring) throw refuse('busy', 'asked for two measurements at once');
      this.#isMeasuring = true;
      try {
        const streams = await this.#gather(link, agreement);
        if (!streams) throw refuse('streams', 'did not open all streams');
        const act = way === 'to' ? receive : send;
        const { counted } = await act(link, streams, agreement, kernel);
        log({ from, way, ...counted }, 'a throughput test of another node was measured');
      } finally {
        this.#isMeasuring = false;
      }
    }
  }

  /** The streams of one measurement; undefined where not all of them come. */
  async #gather(link: MessageLink, { streams }: Agreement): Promise<Socket[] | undefined> {
    const token = this.#createNonce();
    const all = Array.from({ length: streams }, (): Socket | undefined => undefined);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, openingMs);
      link.closed.addEventListener('abort', () => resolve(), { once: true });
      const onJoined = (): void => {
        if (all.includes(undefined)) return;
        clearTimeout(timer);
        resolve();
      };
      this.#gathering = { token, streams: all, onJoined };
      link.send('ready', { token });
    });
    this.#gathering = undefined;
    const joined = all.filter((stream) => stream !== undefined);
    if (joined.length === streams && !link.closed.aborted) return joined;
    for (const stream of joined) stream.destroy();
    return undefined;
  }

  #join({ token, stream }: Joining): ThroughputAnswer | undefined {
    const gathering = this.#gathering;
    const isExpected =
      gathering?.token === token &&
      stream < gathering.streams.length &&
      gathering.streams[stream] === undefined;
    if (!isExpected) return undefined;
    return {
      header: encodeRefused('nothing'),
      takeOver(socket) {
        socket.pause();
        gathering.streams[stream] = socket;
        gathering.onJoined();
      },
    };
  }
}
