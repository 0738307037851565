import type { Socket } from 'node:net';
import { splitFields, withMac, type Signer } from '../../model/signed-fields.js';
import { codeOf } from '../../platform/errors.js';
import { refusalText, ThroughputError, type Refusal } from './throughput-error.js';

/** The version of the protocol, in front of every message. */
export const version = '1';
const maxLineBytes = 1024;
const maxWaiting = 8;

/** One message: its type, and what it says. */
export interface Message {
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
}

export interface MessageLinkOptions {
  readonly socket: Socket;
  readonly keys: Signer;
  /** Drawn by both ends for this connection: no message of another one is accepted. */
  readonly nonces: readonly [string, string];
  readonly side: 'asker' | 'asked';
}

/**
 * The connection on which the two ends of a test tell each other what is next: one message a line, numbered, and
 * signed with both nonces, the side that sends it and its number. A message cannot be repeated, left out or sent back.
 */
export class MessageLink {
  readonly #options: MessageLinkOptions;
  readonly #waiting: Message[] = [];
  readonly #closing = new AbortController();
  #take: ((message: Message) => void) | undefined;
  #rest = '';
  #sent = 0;
  #received = 0;

  constructor(options: MessageLinkOptions) {
    this.#options = options;
    options.socket
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .on('error', (error) => this.#end(`closed the connection (${codeOf(error) ?? ''})`))
      .on('close', () => this.#end('closed the connection before the test was over'))
      .resume();
  }

  /** Aborted when the connection is over; its reason is a ThroughputError. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  send(type: string, fields: Readonly<Record<string, string | number>> = {}): void {
    const { socket, keys, side } = this.#options;
    if (this.closed.aborted) return;
    const parts = Object.entries({ type, ...fields }).map(([key, value]) => `${key}=${value}`);
    const text = [version, ...parts].join(';');
    const mac = keys.sign(this.#signedText(side, this.#sent++, text));
    socket.write(`${withMac(text, mac)}\n`, 'latin1');
  }

  /**
   * The next message, which is of that type.
   * @throws ThroughputError where another one comes, none in time, or the connection is over
   */
  async expect(type: string, timeoutMs: number): Promise<Message> {
    const message = await this.next(timeoutMs);
    if (message.type === type) return message;
    if (message.type === 'failed')
      throw new ThroughputError(refusalText(message.fields.get('why')));
    throw new ThroughputError(`answered out of turn: expected ${type}, got ${message.type}`);
  }

  /**
   * The next message.
   * @throws ThroughputError where none comes in time, or the connection is over
   */
  next(timeoutMs: number): Promise<Message> {
    const first = this.#waiting.shift();
    if (first) return Promise.resolve(first);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.closed.removeEventListener('abort', fail);
        this.#take = undefined;
      };
      const fail = (): void => {
        end();
        reject(this.closed.reason as ThroughputError);
      };
      const timer = setTimeout(() => {
        this.#end(`did not answer within ${timeoutMs / 1000} s`);
      }, timeoutMs);
      this.#take = (message) => {
        end();
        resolve(message);
      };
      this.closed.addEventListener('abort', fail, { once: true });
      if (this.closed.aborted) fail();
    });
  }

  /** Says why there is nothing more to come, and closes. */
  refuse(why: Refusal): void {
    this.send('failed', { why });
    this.#options.socket.destroySoon();
  }

  /** Says that the test is over, and closes. */
  finish(): void {
    this.send('end');
    this.#options.socket.destroySoon();
  }

  close(): void {
    this.#end('was told that the test is over');
  }

  #end(why: string): void {
    if (!this.closed.aborted) this.#closing.abort(new ThroughputError(why));
    this.#options.socket.destroy();
  }

  #onData(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1', 0, maxLineBytes * maxWaiting)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
    if (this.#rest.length > maxLineBytes || chunk.length > maxLineBytes * maxWaiting) {
      this.#end('sent something else than messages of a test');
    }
  }

  #onLine(line: string): void {
    if (this.closed.aborted) return;
    const split = line.length > maxLineBytes ? undefined : splitFields(line, version);
    const message = split === 'other-version' ? undefined : split;
    const type = message?.fields.get('type');
    if (message === undefined || type === undefined || !/^[a-z]{1,16}$/.test(type)) {
      this.#end('sent something else than messages of a test');
      return;
    }
    const { keys, side } = this.#options;
    const other = side === 'asker' ? 'asked' : 'asker';
    const signed = this.#signedText(other, this.#received++, message.text);
    if (!keys.accepts(signed, message.mac)) {
      this.#end('sent a message that the mesh key has not signed');
      return;
    }
    const received = { type, fields: message.fields };
    if (this.#take) this.#take(received);
    else if (this.#waiting.push(received) > maxWaiting) this.#end('sent messages out of turn');
  }

  #signedText(side: string, number: number, text: string): string {
    return ['throughput', ...this.#options.nonces, side, number, text].join('\n');
  }
}
