import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadLibc } from '../../agent/platform/libc.js';
import { openIcmpSocket } from '../../agent/probing/icmp/kernel/open-icmp-socket.js';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { cli, startProgram } from '../resources/program.js';

// What the tests find in a network with routers is in test/lab/path-tests.test.ts.

const bench = new AgentBench();
const socketPath = bench.path('n1.sock');

beforeAll(async () => {
  const args = bench.loneAgent(await freePort());
  bench.start(args);
  const isListed = async () => {
    const answer = await ask(socketPath, '/v1/nodes').catch(() => undefined);
    return (answer?.body as { nodes: unknown[] } | undefined)?.nodes.length === 1;
  };
  await vi.waitUntil(isListed, { timeout: 40_000, interval: 100 });
});
afterAll(() => bench.close());

const start = (...args: readonly string[]) => startProgram(cli, ['--host', socketPath, ...args]);

/** Why no echo can be sent here; undefined if one can. */
function missingForEchoes(): string | undefined {
  try {
    const libc = loadLibc();
    libc.close(openIcmpSocket(libc, 4, 1).fd);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
const missing = missingForEchoes();

const run = (...args: readonly string[]) => start(...args).ended;

describe('meshprobe trace, mtu and flows', () => {
  test('trace reaches the own node by ICMP and by TCP', async ({ skip }) => {
    skip(missing !== undefined, missing);
    for (const flags of [[], ['--tcp']]) {
      const { code, stdout, stderr } = await run('trace', 'n1', ...flags);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^trace to default\/n1, host plane, 127\.0\.4\.1, by (ICMP|TCP)\n/);
      expect(stdout).toMatch(/\n {2}1 {3}127\.0\.4\.1 .*\nReached after 1 hop\.\n$/);
    }
  });

  test('mtu finds that loopback takes the largest packet there is', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const { code, stdout } = await run('mtu', 'default/n1', '-o', 'json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect([code, lines.at(-1)]).toMatchObject([0, { result: 'fits', largestBytes: 65_535 }]);
    expect(lines).toHaveLength(4);
  });

  test('Ctrl-C ends a test of flows, also in the agent', async () => {
    // More than four in a row: each that is ended makes room.
    for (let round = 0; round < 5; round++) {
      const { child, ended } = start('flows', 'n1');
      await once(child.stdout, 'data');
      child.kill('SIGINT');
      expect(await ended).toMatchObject({ code: 130, stderr: '' });
    }
  });

  test('what is no node of the list is a usage error', async () => {
    const cases = [
      [['mtu', 'n9'], 'there is no node default/n9 (meshprobe nodes lists them)'],
      [['flows', 'm1'], 'there is no node default/m1, is default/n1 meant? (meshprobe nodes lists'],
      [
        ['history', 'default/N1'],
        'there is no node default/N1, is default/n1 meant? (meshprobe no',
      ],
      [['trace', '192.0.2.1'], 'there is no node default/192.0.2.1'],
      [['flows', 'n1', '--endpoint'], 'default/n1 has no address on the endpoint plane'],
      [['trace', ''], 'Expected NAME or CLUSTER/NAME'],
      [['mtu', 'n1', '--tcp'], "unknown option '--tcp'"],
    ] as const;
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain(message);
    }
  });
});

/** Asks for a test by a POST whose body is told by its length, comes in chunks, or is none. */
async function post(path: string, body?: string, headers: Record<string, string> = {}) {
  const asked = request({ socketPath, path, method: 'POST', agent: false, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, text };
}
const chunked = { 'transfer-encoding': 'chunked' };

describe('POST /v1/trace, /v1/mtu, /v1/flows and /v1/throughput', () => {
  const toItself = JSON.stringify({ node: 'n1', plane: 'host', protocol: 'http' });

  test('the body may come in chunks', async () => {
    const told = await post('/v1/trace', toItself);
    expect([told.status, told.text]).toEqual([200, expect.stringContaining('"isReached":true')]);
    const inChunks = await post('/v1/trace', toItself, chunked);
    expect([inChunks.status, inChunks.text]).toEqual([
      200,
      expect.stringContaining('"isReached":true'),
    ]);
  });

  test.each(['trace', 'mtu', 'flows', 'throughput'])(
    '%s says what it expects for a body that is none, or too large',
    async (name) => {
      const path = `/v1/${name}`;
      const expected = 'expected a JSON object such as {"node": "c/n2", "plane": "host"}, got no';
      for (const headers of [{}, chunked, { 'content-length': '0' }]) {
        const none = await post(path, undefined, headers);
        expect([none.status, JSON.parse(none.text)]).toEqual([400, `${expected} body`]);
      }
      const half = await post(path, '{"node"', chunked);
      expect([half.status, JSON.parse(half.text)]).toEqual([400, `${expected} JSON`]);
      for (const bytes of [4097, 20_000]) {
        const body = ' '.repeat(bytes);
        for (const headers of [chunked, { 'content-length': String(bytes) }]) {
          const large = await post(path, body, headers);
          const message = 'expected a body of at most 4096 bytes';
          expect([large.status, JSON.parse(large.text)]).toEqual([413, message]);
        }
      }
      const largest = await post(path, '{}'.padEnd(4096), chunked);
      expect([largest.status, largest.text]).toEqual([400, expect.stringContaining('node: ')]);
    },
  );
});
