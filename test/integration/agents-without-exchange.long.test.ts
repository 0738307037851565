import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { healthzOf, statusOf, useAgentBench } from './lib/agent-process.js';
import { buildOldAgent, isInHistory, type OldAgent } from './lib/old-agent.js';

const bench = useAgentBench();

const polling = { timeout: 40_000, interval: 100 };
const node = (n: number) => ({ name: `n${n}`, host: `127.0.8.${n}` });

function start(n: number, nodes: readonly object[], program?: string) {
  const more = ['--icmp-interval', '200ms', '--http-interval', '500ms'];
  return bench.startNode({ name: `n${n}`, nodes, listen: [`127.0.8.${n}`], more, program });
}

/**
 * The whole answer of an agent to these bytes, without its date. Version 0.1.0 kept a connection
 * open for three more seconds if the client asked for that. Today each connection serves one
 * request, as HTTP allows.
 */
async function answerTo(host: string, request: string): Promise<string> {
  const socket = connect(bench.port, host);
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write(request);
  await once(socket, 'close');
  return text
    .replace(/Date: [^\r]+/, 'Date: now')
    .replace('Connection: keep-alive\r\nKeep-Alive: timeout=3\r\n', 'Connection: close\r\n');
}

const exchangeOf = (from: string) =>
  `meshprobe-exchange: 1;from=default/${from};to=default/n1;nonce=abcdefghijklmnop\r\n`;

/** Requests of strangers, Cilium and kubelets, and of clients that wrongly claim to be peers. */
const strangers = [
  'GET /hello HTTP/1.1\r\nHost: 127.0.8.1:4240\r\nUser-Agent: Go-http-client/1.1\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
  'GET /hello HTTP/1.0\r\n\r\n',
  'HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /hello HTTP/1.1\r\nHost: x\r\n${exchangeOf('n2')}\r\n`,
  `GET /hello HTTP/1.1\r\nHost: x\r\n${exchangeOf('unlisted')}\r\n`,
  'GET /hello HTTP/1.1\r\nHost: x\r\nmeshprobe-exchange: 1;from=\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: x\r\nmeshprobe-exchange: 2;later\r\n\r\n',
];

/** The agents of this commit are the last ones that exchange nothing. */
const oldCommit = '8e0aa3e3c0c454e6cf199d2865173bf85e4169ed';

describe('an agent without exchanges and a present one', () => {
  let oldAgent: OldAgent | undefined;
  const canBuild = isInHistory(oldCommit);

  beforeAll(() => {
    if (canBuild) oldAgent = buildOldAgent(oldCommit);
  }, 120_000);

  afterAll(() => oldAgent?.remove());

  test('probe each other without a log message, and the old one has no row', async ({ skip }) => {
    if (!canBuild) skip(`the history of this checkout does not have the commit ${oldCommit}`);
    const nodes = [1, 2].map(node);
    const today = start(1, nodes);
    const old = start(2, nodes, oldAgent?.program);
    for (const { socketPath } of [today, old]) {
      await vi.waitFor(async () => {
        const { nodes: seen } = await statusOf(socketPath);
        const states = seen.map(({ host }) => host?.['primary-address']?.http?.state);
        expect(states).toEqual(['reachable', 'reachable']);
      }, polling);
    }
    // Both agents complete a few more rounds of GETs.
    await vi.waitFor(async () => {
      const { http } = (await statusOf(today.socketPath)).nodes[1]?.host?.['primary-address'] ?? {};
      expect(Date.parse(http?.lastProbed ?? '')).toBeGreaterThan(
        Date.parse(http?.since ?? '') + 3000,
      );
    }, polling);
    const { exchange } = await healthzOf(today.socketPath);
    expect(exchange).toMatchObject({
      observers: { fresh: 0, stale: 0, silent: 1 },
      messages: { malformed: 0, unauthenticated: 0, source: 0 },
    });
    for (const { agent } of [today, old]) {
      expect(agent.errors).toBe('');
      const lines = agent.output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number | string; msg: string })
        // The one that starts first may not reach the other one yet.
        .filter(({ msg }) => !msg.startsWith('path is'));
      // Level 30 is `info`: nothing is worth a warning. Agents of today write its name.
      expect(lines.filter(({ level }) => level !== 'info' && level !== 30)).toEqual([]);
      expect(lines.map(({ msg }) => msg).join('\n')).not.toMatch(/exchange|malformed|refused|hint/);
    }
  });

  test('answer a stranger with the same bytes, but the present one closes each connection', async ({
    skip,
  }) => {
    if (!canBuild) skip(`the history of this checkout does not have the commit ${oldCommit}`);
    const nodes = [1, 2].map(node);
    const today = start(1, nodes);
    const old = start(2, nodes, oldAgent?.program);
    for (const { agent } of [today, old]) {
      await vi.waitFor(() => expect(agent.output).toContain('node list received'), polling);
    }
    const answersOf = (host: string) =>
      Promise.all(strangers.map((request) => answerTo(host, request)));
    const [answers, before] = await Promise.all(['127.0.8.1', '127.0.8.2'].map(answersOf));
    expect(answers).toEqual(before);
    for (const answer of answers ?? []) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});
