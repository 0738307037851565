import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { mutate, Random } from '../fuzz/random.js';
import { ask, statusOf, useAgentBench } from './lib/agent-process.js';

const good = [
  'POST /v1beta/status HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n',
  'GET /v1beta/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /v1beta/status HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\r\n',
  'GET /v1beta/status HTTP/1.1\r\nhost: localhost\r\nif-none-match: "x.1", W/"y"\r\n\r\n',
  'GET /v1beta/healthz HTTP/1.0\r\n\r\n',
  'PUT /v1beta/status/probe HTTP/1.1\r\nhost: \r\ncontent-length: 2\r\n\r\n{}',
  'PUT /v1beta/status/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'GET http://localhost/v1beta/status?a=%20&b[]=1#c HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n\r\n',
  'HEAD /v1beta/status HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
];

const bench = useAgentBench();

test('an agent answers on its socket whatever requests with random changes come there', async () => {
  const socketPath = bench.path('n1.sock');
  const agent = bench.start([
    ...bench.loneAgent(),
    '--icmp-engine',
    'off',
    '--probe-timeout',
    '50ms',
  ]);
  await vi.waitFor(async () => expect((await statusOf(socketPath)).nodes).toHaveLength(1), 40_000);
  const random = new Random(13);
  const statuses = new Set<string>();
  for (let round = 0; round < 60; round++) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        send(socketPath, mutate(Buffer.from(random.pick(good)), random)),
      ),
    );
    for (const answer of answers) {
      // The agent sends nothing if the request is not complete.
      if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(answer).not.toMatch(/node_modules|\.js:\d+/);
      statuses.add(answer.slice(9, 12));
    }
    expect((await ask(socketPath, '/v1beta/healthz')).status).toBe(200);
  }
  expect([...statuses]).toEqual(expect.arrayContaining(['200', '400', '404', '405']));
  expect([...statuses].filter((status) => status.startsWith('5'))).toEqual([]);
  expect(agent.child.exitCode).toBe(null);
  agent.child.kill('SIGTERM');
  expect([await agent.exited, agent.errors]).toEqual([0, '']);
  expect(agent.output).not.toMatch(/"level":"(warn|error|fatal)"/);
}, 60_000);

/**
 * Sends these bytes. Resolves with the answer when the agent closes the connection or waits for
 * more bytes.
 */
async function send(path: string, bytes: Buffer): Promise<string> {
  const socket = connect(path);
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')));
  // The agent answers an incomplete request with 400 or not at all.
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}
