import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { call, connectMcp } from './lib/mcp-client.js';

const bench = new AgentBench();
const socketPath = bench.path('n1.sock');
let tcp: string;
let tokenFile: string;

beforeAll(async () => {
  const apiPort = await freePort();
  tcp = `tcp://127.0.0.1:${apiPort}`;
  tokenFile = bench.file('token', 'correct-horse-battery-staple\n');
  bench.start([
    ...bench.loneAgent(await freePort()),
    ...['--api-listen', `127.0.0.1:${apiPort}`, '--api-token-file', tokenFile],
    ...['--mesh', 'off'],
  ]);
  const isReached = async () => {
    const answer = await ask(socketPath, '/v1/nodes/n1').catch(() => undefined);
    const body = answer?.body as { paths?: { host: { http?: { state: string } } } } | undefined;
    return body?.paths?.host.http?.state === 'reachable';
  };
  await vi.waitUntil(isReached, { timeout: 40_000, interval: 100 });
});
afterAll(() => bench.close());

test('every tool that reads is answered by a real agent, over the socket and over TCP with the token', async () => {
  const named = { node: { node: 'n1' }, history: { node: 'n1', samples: 3 } };
  for (const args of [
    ['-H', socketPath],
    ['-H', tcp, '--token-file', tokenFile],
  ]) {
    const client = await connectMcp(args);
    const { tools } = await client.listTools();
    for (const { name } of tools) {
      const input = Object.entries(named).find(([tool]) => tool === name)?.[1] ?? {};
      const { isError, structuredContent } = await call(client, name, input);
      expect([name, isError, structuredContent]).toEqual([name, undefined, expect.anything()]);
    }
    const { structuredContent } = await call(client, 'history', {
      ...named.history,
      protocol: 'http',
    });
    const { paths } = structuredContent as {
      paths: { icmp?: object; http?: { samples: object[] } }[];
    };
    expect(paths.map(({ icmp }) => icmp)).toEqual([undefined]);
    expect(paths[0]?.http?.samples.length).toBeGreaterThan(0);
    expect(paths[0]?.http?.samples.length).toBeLessThanOrEqual(3);
  }
});

test('without the token it says what to do', async () => {
  const { isError, content } = await call(await connectMcp(['-H', tcp]), 'diagnose');
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('--token-file');
});

test('a test of a path tells its lines, and its end', async () => {
  const client = await connectMcp(['-H', socketPath, '--allow-tests']);
  const { structuredContent } = await call(client, 'trace', { node: 'n1', tcp: true });
  expect(structuredContent).toMatchObject({
    lines: [
      { type: 'begin', test: 'trace', node: 'default/n1', protocol: 'http' },
      { type: 'hop', ttl: 1, address: '127.0.4.1' },
      { type: 'end', isReached: true },
    ],
  });
  const { isError, content } = await call(client, 'trace', { node: 'n9' });
  expect([isError, JSON.stringify(content)]).toEqual([
    true,
    expect.stringContaining('there is no node default/n9'),
  ]);
});

test('what a client cancels is stopped in the agent too', async () => {
  const client = await connectMcp(['-H', socketPath, '--allow-tests']);
  // More than four in a row: each that is ended makes room.
  for (let round = 0; round < 5; round++) {
    const stopping = new AbortController();
    const input = { name: 'flows', arguments: { node: 'n1' } };
    const called = client.callTool(input, undefined, { signal: stopping.signal });
    stopping.abort('no longer wanted');
    await expect(called).rejects.toThrow('no longer wanted');
  }
  const { isError } = await call(client, 'trace', { node: 'n1', tcp: true });
  expect(isError).toBe(undefined);
});
