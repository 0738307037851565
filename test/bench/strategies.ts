import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';

/**
 * Sends one `GET /hello` on a connection of its own. Resolves when the whole answer has arrived.
 */
export type Strategy = (ip: string, port: number) => Promise<void>;

/** The one that others are held against: what undici's documentation would have us write. */
export const bareStrategy = 'undici Client';
/** The agent's own. */
export const agentStrategy = 'the agent';

/**
 * The strategies that were compared for the HTTP prober. Each loads what it needs and nothing else,
 * so that the memory of its process can be compared too.
 */
export const strategies = {
  'undici Agent': async () => {
    const { Agent, request } = await import('undici');
    const agent = new Agent({ pipelining: 0 });
    return async (ip, port) => {
      const { statusCode, body } = await request(`http://${ip}:${port}/hello`, {
        dispatcher: agent,
        reset: true,
      });
      await body.bytes();
      expectOk(statusCode);
    };
  },
  [bareStrategy]: async () => {
    const { Client } = await import('undici');
    return async (ip, port) => {
      const client = new Client(`http://${ip}:${port}`);
      const { statusCode, body } = await client.request({
        path: '/hello',
        method: 'GET',
        reset: true,
      });
      await body.bytes();
      void client.destroy();
      expectOk(statusCode);
    };
  },
  'undici dispatch': async () => {
    const { Client } = await import('undici');
    return (ip, port) =>
      dispatch(
        () => new Client(`http://${ip}:${port}`),
        (client) => void client.destroy(),
      );
  },
  /** A client for each node, made once. Each GET has a socket of its own, made and ended here. */
  'undici Client kept for each node': async () => {
    const { Client } = await import('undici');
    const clients = new Map<string, { readonly client: Dispatcher; socket?: Socket }>();
    return (ip, port) => {
      let kept = clients.get(ip);
      if (!kept) {
        const made: { client: Dispatcher; socket?: Socket } = {
          client: new Client(`http://${ip}:${port}`, {
            connect: (_, callback) => void (made.socket = open(ip, port, callback)),
            headersTimeout: 0,
            bodyTimeout: 0,
          }),
        };
        kept = made;
        clients.set(ip, kept);
      }
      const { client } = kept;
      return dispatch(
        () => client,
        () => kept.socket?.destroy(),
      );
    };
  },
  /** As many clients as GETs are under way, for any node. */
  'undici Clients used again': async () => {
    const { Client } = await import('undici');
    interface Reusable {
      readonly client: Dispatcher;
      to: readonly [ip: string, port: number];
      socket?: Socket;
    }
    const idle: Reusable[] = [];
    const create = (to: Reusable['to']): Reusable => {
      const made: Reusable = {
        to,
        client: new Client('http://hello', {
          connect(_, callback) {
            made.socket = open(...made.to, callback);
            made.socket.once('close', () => setImmediate(() => idle.push(made)));
          },
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
      };
      return made;
    };
    return (ip, port) => {
      const reusable = idle.pop() ?? create([ip, port]);
      reusable.to = [ip, port];
      return dispatch(
        () => reusable.client,
        () => reusable.socket?.destroy(),
        ['host', ip],
      );
    };
  },
  [agentStrategy]: async () => {
    const { askHello } = await import('../../agent/probing/http/hello-client.js');
    return (ip, port) =>
      new Promise((resolve, reject) => {
        askHello(
          { ip, port, host: ip, piggyback: undefined, localAddress: undefined },
          {
            onConnect: () => undefined,
            onFirstByte: () => undefined,
            onEnd({ status }) {
              if (status === 200) resolve();
              else reject(new Error(`status ${status}`));
            },
            onFault: ({ detail }) => reject(new Error(detail)),
            onError: (error) => reject(new Error('no answer', { cause: error })),
          },
        );
      });
  },
  'node:http': () => (host, port) =>
    new Promise((resolve, reject) => {
      const call = get({ host, port, path: '/hello', agent: false }, (response) => {
        response.resume();
        response.once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`status ${response.statusCode ?? 0}`));
        });
      });
      call.once('error', reject);
    }),
  'node:net': () => (host, port) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, autoSelectFamily: false });
      let answer = '';
      socket.once('error', reject);
      socket.on('data', (data) => (answer += data.toString('latin1')));
      socket.once('end', () => {
        if (answer.startsWith('HTTP/1.1 200 ')) resolve();
        else reject(new Error(`answer ${JSON.stringify(answer.slice(0, 40))}`));
      });
      socket.write(`GET /hello HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    }),
} as const satisfies Record<string, () => Strategy | Promise<Strategy>>;

export type StrategyName = keyof typeof strategies;

export const strategyNames = Object.keys(strategies) as StrategyName[];

function open(host: string, port: number, callback: buildConnector.Callback): Socket {
  const socket = connect({ host, port, noDelay: true, autoSelectFamily: false });
  const failed = (error: Error): void => callback(error, null);
  socket.once('error', failed);
  socket.once('connect', () => {
    socket.off('error', failed);
    callback(null, socket);
  });
  return socket;
}

/** Sends one GET by a client, and resolves at its end. */
function dispatch<T extends Dispatcher>(
  clientOf: () => T,
  release: (client: T) => void,
  headers: string[] = [],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = clientOf();
    let status = 0;
    client.dispatch(
      { path: '/hello', method: 'GET', headers, reset: true },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode) => void (status = statusCode),
        onResponseData: () => undefined,
        onResponseEnd() {
          release(client);
          if (status === 200) resolve();
          else reject(new Error(`status ${status}`));
        },
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

function expectOk(status: number): void {
  if (status !== 200) throw new Error(`status ${status}`);
}
