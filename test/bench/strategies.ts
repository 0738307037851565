import { get } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/**
 * Sends one `GET /hello` on a connection of its own. Resolves when the whole answer has arrived.
 */
export type Strategy = (ip: string, port: number) => Promise<void>;

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
  'undici Client': async () => {
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
      new Promise((resolve, reject) => {
        const client = new Client(`http://${ip}:${port}`);
        let status = 0;
        client.dispatch(
          { path: '/hello', method: 'GET', reset: true },
          {
            onRequestStart: () => undefined,
            onResponseStart: (_, statusCode) => {
              status = statusCode;
            },
            onResponseData: () => undefined,
            onResponseEnd: () => {
              void client.destroy();
              if (status === 200) resolve();
              else reject(new Error(`status ${status}`));
            },
            onResponseError: (_, error) => reject(error),
          },
        );
      });
  },
  /** Reuses clients as the agent does, by undici's public API alone and with its stack traces. */
  'undici reused dispatch': async () => {
    const { Client } = await import('undici');
    const idle: ReturnType<typeof createReusable>[] = [];
    function createReusable() {
      const target = { host: '', port: 0 };
      const client = new Client('http://hello', {
        connect(_, callback) {
          const socket: Socket = connect({ ...target, autoSelectFamily: false });
          socket.once('error', (error) => callback(error, null));
          socket.once('connect', () => callback(null, socket));
          socket.once('close', () => setImmediate(() => idle.push(reusable)));
        },
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const reusable = { client, target };
      return reusable;
    }
    return (host, port) =>
      new Promise((resolve, reject) => {
        const { client, target } = idle.pop() ?? createReusable();
        Object.assign(target, { host, port });
        let status = 0;
        client.dispatch(
          { path: '/hello', method: 'GET', headers: ['host', host], reset: true },
          {
            onRequestStart: () => undefined,
            onResponseStart: (_, statusCode) => {
              status = statusCode;
            },
            onResponseData: () => undefined,
            onResponseEnd: () => {
              if (status === 200) resolve();
              else reject(new Error(`status ${status}`));
            },
            onResponseError: (_, error) => reject(error),
          },
        );
      });
  },
  /** The agent's own client. */
  HelloClient: async () => {
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

function expectOk(status: number): void {
  if (status !== 200) throw new Error(`status ${status}`);
}
