import { get } from 'node:http';
import { connect } from 'node:net';
import { Agent, Client, request } from 'undici';

/**
 * Sends one `GET /hello` on a connection of its own. Resolves when the whole answer has arrived.
 */
export type Strategy = (ip: string, port: number) => Promise<void>;

const agent = new Agent({ pipelining: 0 });

/** The strategies that were compared for the HTTP prober. */
export const strategies = {
  'undici Agent': async (ip, port) => {
    const { statusCode, body } = await request(`http://${ip}:${port}/hello`, {
      dispatcher: agent,
      reset: true,
    });
    await body.bytes();
    expectOk(statusCode);
  },
  'undici Client': async (ip, port) => {
    const client = new Client(`http://${ip}:${port}`);
    const { statusCode, body } = await client.request({
      path: '/hello',
      method: 'GET',
      reset: true,
    });
    await body.bytes();
    void client.destroy();
    expectOk(statusCode);
  },
  'undici dispatch': (ip, port) =>
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
    }),
  'node:http': (host, port) =>
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
  'node:net': (host, port) =>
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
} as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof strategies;

export const strategyNames = Object.keys(strategies) as StrategyName[];

function expectOk(status: number): void {
  if (status !== 200) throw new Error(`status ${status}`);
}
