import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const bench = new AgentBench();
const socketPath = bench.path('n1.sock');
const clients: Client[] = [];
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
afterAll(async () => {
  for (const client of clients) await client.close();
  await bench.close();
});

/** Starts the built program as a client does. */
async function connect(...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      stderr: 'inherit',
    }),
  );
  // The client then checks each answer against the tool's schema.
  await client.listTools();
  return client;
}

async function call(client: Client, name: string, input: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
}

test('every tool that reads is answered by a real agent, over the socket and over TCP with the token', async () => {
  const named = { node: { node: 'n1' }, history: { node: 'n1', samples: 3 } };
  for (const args of [
    ['-H', socketPath],
    ['-H', tcp, '--token-file', tokenFile],
  ]) {
    const client = await connect(...args);
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
  const { isError, content } = await call(await connect('-H', tcp), 'diagnose');
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('--token-file');
});

test('a test of a path tells its lines, and its end', async () => {
  const client = await connect('-H', socketPath, '--allow-tests');
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
  const client = await connect('-H', socketPath, '--allow-tests');
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
