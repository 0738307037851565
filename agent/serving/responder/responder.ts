import type { AddressInfo } from 'node:net';
import { codeOf, messageOf, StartError } from '../../platform/errors.js';
import { answerHello, type Answer, type RemoteRequest } from './answer.js';
import { createSingleRequestServer, type SingleRequestServer } from './single-request-server.js';

export interface ResponderOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Called once if a listening server fails later. */
  readonly onFailure: (reason: Error) => void;
  /** Makes the answer to a request; by default `answerHello`. It must not throw. */
  readonly answer?: (request: RemoteRequest) => Answer;
}

export interface Responder {
  readonly addresses: readonly AddressInfo[];
  stop(): Promise<void>;
}

/** More connections than a flood of a thousand makes. The kernel may allow fewer (listen(2)). */
const backlog = 2048;

/**
 * Answers `GET /hello` with 200 and an empty body, everything else with 404, on every address
 * given (none: every address of both families). Each connection is good for one request.
 * @throws StartError where an address cannot be listened on
 */
export async function startResponder(options: ResponderOptions): Promise<Responder> {
  const servers: SingleRequestServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    for (const host of options.addresses.length > 0 ? options.addresses : [undefined]) {
      const server = createSingleRequestServer(options.answer ?? answerHello);
      servers.push(server);
      await listen(server, host, options);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses: servers.map(({ server }) => server.address() as AddressInfo), stop };
}

function listen(
  { server }: SingleRequestServer,
  host: string | undefined,
  options: ResponderOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(explain(error, host, options.port));
    server.once('error', refuse);
    // The IPv6 wildcard address would otherwise take both families.
    const at = host === undefined ? {} : { host, ipv6Only: options.addresses.length > 1 };
    server.listen({ port: options.port, backlog, ...at }, () => {
      server.off('error', refuse);
      server.on('error', (error) => options.onFailure(new Error(`responder: ${error.message}`)));
      resolve();
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
