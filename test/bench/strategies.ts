import { connect } from 'node:net';

/**
 * Sends one `GET /hello` on a connection of its own. Resolves when the whole answer has arrived.
 */
type Strategy = (ip: string, port: number) => Promise<void>;

/** The one that others are held against: what undici's documentation would have us write. */
export const bareStrategy = 'undici Client';
/** The agent's own. */
export const agentStrategy = 'the agent';

/** Ways to send a GET. Each loads what it needs and nothing else. */
export const strategies = {
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
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
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
