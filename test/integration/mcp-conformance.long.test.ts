import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveV1 } from '../doubles/serve-v1.js';
import { MemoryV1Source } from '../doubles/v1-source.js';
import { useFolder } from '../resources/folder.js';
import { closeServer, listen, portOf } from '../resources/listen.js';

// The conformance suite knows servers over HTTP alone. The bridge below passes each message on, unchanged,
// to `meshprobe mcp` on stdio and back: what it finds is said by the program.
const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const run = promisify(execFile);

/** Those that ask for no tool, resource or prompt of the suite's own reference server. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list'];

const folder = useFolder();
let agent: Server;
let bridge: Server;
const programs = new Set<Transport>();

beforeAll(async () => {
  const socketPath = join(folder, 'x.sock');
  agent = await serveV1(new MemoryV1Source(['c/n1', 'c/n2']), socketPath);
  bridge = createServer((request, response) => {
    void (async () => {
      // One program a session. The header says which one a later message belongs to.
      const id = request.headers['mcp-session-id'];
      const session = typeof id === 'string' ? sessions.get(id) : await startSession(socketPath);
      if (session) await session.handleRequest(request, response);
      else response.writeHead(404).end();
    })();
  });
  await listen(bridge);
});
afterAll(async () => {
  for (const one of programs) await one.close();
  await Promise.all([bridge, agent].map(closeServer));
});

const sessions = new Map<string, StreamableHTTPServerTransport>();

async function startSession(socketPath: string): Promise<StreamableHTTPServerTransport> {
  const front = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, front),
  });
  const back = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '-H', socketPath],
    stderr: 'inherit',
  });
  programs.add(back);
  front.onmessage = (message) => void back.send(message);
  back.onmessage = (message) => void front.send(message);
  await back.start();
  await front.start();
  return front;
}

test.each(scenarios)('conforms to %s', async (scenario) => {
  const results = join(folder, scenario);
  const url = `http://127.0.0.1:${portOf(bridge)}/mcp`;
  const args = ['server', '--url', url, '--scenario', scenario, '--output-dir', results];
  const { stdout } = await run(process.execPath, [suite, ...args], { timeout: 60_000 });
  const [file = ''] = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('checks.json'),
  );
  const checks = JSON.parse(readFileSync(join(results, file), 'utf8')) as {
    id: string;
    status: string;
  }[];
  expect(checks.length, stdout).toBeGreaterThan(0);
  expect(checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')).toEqual([]);
});
