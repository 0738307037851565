import type { Socket } from 'node:net';
import type { Signer } from '../../model/signed-fields.js';
import { openingMs, type Agreement, type Counted, type Sent, type Way } from './agreement.js';
import type { KernelSockets } from './kernel-sockets.js';
import { MessageLink } from './message-link.js';
import { decodeOpened, encodeJoining, encodeOpening } from './opening.js';
import { receive } from './receive.js';
import { send } from './send.js';
import { ThroughputError } from './throughput-error.js';
import { upgrade, type ThroughputAddress } from './upgrade.js';

export interface SessionOptions {
  readonly at: ThroughputAddress;
  /** The own node. */
  readonly from: string;
  readonly to: string;
  /** The test that it is a session of. The other end lets two of the same one share its turn. */
  readonly test: string;
  readonly keys: Signer;
  readonly createNonce: () => string;
  readonly kernel: KernelSockets;
  readonly signal: AbortSignal;
}

/** What a measurement came to, as both ends say it. */
export interface Measured {
  readonly counted: Counted;
  readonly sent: Sent;
}

/** The end of a throughput test that asks, with one other end. */
export class Session {
  readonly #options: SessionOptions;
  readonly #link: MessageLink;
  readonly #agreement: Agreement;

  private constructor(options: SessionOptions, link: MessageLink, agreement: Agreement) {
    this.#options = options;
    this.#link = link;
    this.#agreement = agreement;
    const cancel = (): void => link.close();
    options.signal.addEventListener('abort', cancel, { once: true });
    link.closed.addEventListener('abort', () => {
      options.signal.removeEventListener('abort', cancel);
    });
    if (options.signal.aborted) cancel();
  }

  /**
   * Opens a session. The other end takes part in no other test until it is closed.
   * @throws ThroughputError where the other end does not take part, in words that need a subject
   */
  static async open(options: SessionOptions, agreement: Agreement): Promise<Session> {
    const { at, from, to, test, keys, createNonce, signal } = options;
    const opening = { from, to, test, nonce: createNonce() };
    const { socket, header } = await upgrade(at, encodeOpening(opening, keys), signal);
    const nonce = decodeOpened(header, opening, keys);
    if (nonce === undefined) {
      socket.destroy();
      throw new ThroughputError('does not show that it has the mesh key');
    }
    const nonces = [opening.nonce, nonce] as const;
    const link = new MessageLink({ socket, keys, nonces, side: 'asker' });
    const session = new Session(options, link, agreement);
    try {
      link.send('hold', { ...agreement });
      await link.expect('held', openingMs);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /**
   * Measures one way.
   * @throws ThroughputError where it went wrong
   */
  async measure(way: Way): Promise<Measured> {
    const [link, agreement] = [this.#link, this.#agreement];
    link.send('run', { way });
    const ready = await link.expect('ready', openingMs);
    const streams = await this.#join(ready.fields.get('token') ?? '');
    const act = way === 'to' ? send : receive;
    return act(link, streams, agreement, this.#options.kernel);
  }

  close(): void {
    this.#link.finish();
  }

  async #join(token: string): Promise<Socket[]> {
    const { at, keys } = this.#options;
    const joining = Array.from({ length: this.#agreement.streams }, async (_, stream) => {
      const header = encodeJoining({ token, stream }, keys);
      return (await upgrade(at, header, this.#link.closed)).socket;
    });
    const joined = await Promise.allSettled(joining);
    const streams = joined.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = joined.find((one) => one.status === 'rejected');
    if (!failed) return streams;
    for (const stream of streams) stream.destroy();
    throw this.#link.closed.aborted ? this.#link.closed.reason : failed.reason;
  }
}
