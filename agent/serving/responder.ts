import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, messageOf, StartError } from '../platform/errors.js';
import { evictOldest } from './evict-oldest.js';

export interface ResponderOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Called once where a listening server fails later. */
  readonly onFailure: (reason: Error) => void;
  /** What goes back to a `GET /hello` with that header; undefined: what goes back to anyone. It must not throw. */
  readonly answerPiggyback?: AnswerPiggyback;
}

/** The header of a GET, and of its answer, that carries what agents tell each other. */
export const piggybackHeader = 'meshprobe-exchange';

/** Takes what a GET carried, and where it came from. */
export type AnswerPiggyback = (
  header: string,
  remoteAddress: string,
) => { readonly header: string; readonly body: string } | undefined;

export interface Responder {
  readonly addresses: readonly AddressInfo[];
  stop(): Promise<void>;
}

const requestTimeoutMs = 3000;
const maxConnections = 1024;

/**
 * Answers `GET /hello` with 200 and an empty body, everything else with 404, on every address
 * given (none: every address of both families). It cannot be held: a request that is not complete
 * in three seconds is dropped, and past a number of connections the oldest gives way to the new.
 * @throws StartError where an address cannot be listened on
 */
export async function startResponder(options: ResponderOptions): Promise<Responder> {
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(close));
  };
  try {
    for (const host of options.addresses.length > 0 ? options.addresses : [undefined]) {
      servers.push(await listen(host, options));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses: servers.map((server) => server.address() as AddressInfo), stop };
}

function createHelloServer({ answerPiggyback }: ResponderOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: 4096,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      keepAliveTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
      noDelay: true,
    },
    (request, response) => {
      const found =
        request.url === '/hello' && (request.method === 'GET' || request.method === 'HEAD');
      // A body would be read for nothing.
      const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers;
      if (hasBody) response.setHeader('connection', 'close');
      const carried = request.headers[piggybackHeader];
      const answer =
        found && request.method === 'GET' && typeof carried === 'string'
          ? answerPiggyback?.(carried, request.socket.remoteAddress ?? '')
          : undefined;
      if (answer) {
        const { header, body } = answer;
        const headers = { 'content-length': Buffer.byteLength(body), [piggybackHeader]: header };
        response.writeHead(200, headers).end(body);
      } else response.writeHead(found ? 200 : 404, { 'content-length': 0 }).end();
    },
  );
  evictOldest(server, maxConnections);
  return server;
}

function listen(host: string | undefined, options: ResponderOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createHelloServer(options);
    const refuse = (error: Error): void => reject(explain(error, host, options.port));
    server.once('error', refuse);
    // Of two wildcard addresses the IPv6 one would take both families.
    const at = host === undefined ? {} : { host, ipv6Only: options.addresses.length > 1 };
    server.listen({ port: options.port, ...at }, () => {
      server.off('error', refuse);
      server.on('error', (error) => options.onFailure(new Error(`responder: ${error.message}`)));
      resolve(server);
    });
  });
}

function explain(error: Error, host: string | undefined, port: number): StartError {
  const where = `${host === undefined ? 'every address' : host}, port ${port}`;
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return new StartError(
        `responder: cannot listen on ${where}: the port is taken; stop what listens there (a Cilium agent owns 4240) or choose another --probe-port or --listen-address`,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(`responder: cannot listen on ${where}: this host has no such address`);
    case 'EACCES':
      return new StartError(
        `responder: cannot listen on ${where}: no permission (ports below 1024 need CAP_NET_BIND_SERVICE)`,
      );
    default:
      return new StartError(`responder: cannot listen on ${where}: ${messageOf(error)}`);
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
