import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { codeOf, messageOf, StartError } from '../../platform/errors.js';
import { echoAddresses, isWildcard, ownIps } from './udp-echo-addresses.js';

/** An address that this host gets later is answered at after this time. */
const checkEveryMs = 5000;
/** Sockets of so many addresses that have gone stay, the last ones: a link that flaps takes its addresses away for a moment. */
const maxGone = 16;

export interface EchoSocketsOptions {
  /** Empty: every address of both families. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** Called with each socket that is opened. */
  readonly onSocket: (socket: Socket) => void;
}

/**
 * One socket for each address, so an answer leaves from the address that was asked: what a wildcard socket sends
 * gets its source from the kernel, by the route to the asker. The addresses of the host are followed.
 */
export class EchoSockets {
  readonly #options: EchoSocketsOptions;
  readonly #sockets = new Map<string, Socket>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: EchoSocketsOptions) {
    this.#options = options;
  }

  get all(): Socket[] {
    return [...this.#sockets.values()];
  }

  /** @throws StartError where an address cannot be listened on */
  async start(): Promise<void> {
    const { addresses } = this.#options;
    const own = ownIps();
    for (const address of echoAddresses(addresses, own)) {
      await this.#open(address).catch((error: unknown) => {
        // The host has just lost it, still looks whether another has it (RFC 4862), or has no IPv6.
        if (!addresses.includes(address) && lacksAddress(error)) return;
        throw explain(error, address, this.#options.port);
      });
    }
    // A wildcard socket, where the addresses are not known, would keep the port from others.
    if (own && (addresses.length === 0 || addresses.some(isWildcard))) this.#checkLater();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.all(this.all.map((socket) => new Promise<void>((done) => socket.close(done))));
  }

  #checkLater(): void {
    this.#timer = setTimeout(() => {
      void this.#check().then(() => {
        if (!this.#isStopped) this.#checkLater();
      });
    }, checkEveryMs).unref();
  }

  async #check(): Promise<void> {
    const own = ownIps();
    if (!own) return;
    const wanted = echoAddresses(this.#options.addresses, own);
    const gone = [...this.#sockets].filter(([address]) => !wanted.has(address));
    for (const [address, socket] of gone.slice(0, -maxGone)) {
      this.#sockets.delete(address);
      socket.close();
    }
    for (const address of wanted) {
      // What cannot be opened now is tried again at the next check.
      if (!this.#sockets.has(address)) await this.#open(address).catch(() => undefined);
    }
  }

  async #open(address: string): Promise<void> {
    const socket = createSocket(
      isIPv6(address) ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' },
    );
    try {
      socket.bind({ port: this.#options.port, address, exclusive: true });
      await once(socket, 'listening');
      if (this.#isStopped) throw new Error('it was stopped meanwhile');
    } catch (error) {
      socket.close();
      throw error;
    }
    this.#sockets.set(address, socket);
    this.#options.onSocket(socket);
  }
}

function lacksAddress(error: unknown): boolean {
  return ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(codeOf(error) ?? '');
}

function explain(error: unknown, address: string, port: number): StartError {
  const why =
    codeOf(error) === 'EADDRINUSE'
      ? 'the port is taken; stop what listens there or choose another --udp-port'
      : messageOf(error);
  return new StartError(`UDP echo: cannot listen on ${address}, port ${port}: ${why}`);
}
