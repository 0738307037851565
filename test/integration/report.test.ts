import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newFolder } from '../resources/folder.js';
import { closeServer } from '../resources/listen.js';
import { readDiagnosis } from '../sim/replay/read-diagnosis.js';
import { diagnose } from '../../agent/diagnosis/diagnose.js';
import { createHttpServer } from '../../agent/serving/http-server.js';
import { createReportRoute } from '../../api/routes/report.js';
import { reportSchema } from '../../api/schema/v1/report.js';
import { serveV1 } from '../doubles/serve-v1.js';
import { MemoryV1Source } from '../doubles/v1-source.js';
import { ask, useAgentBench } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { cli as program, refused, runCli } from '../resources/program.js';

let folder: string;
beforeEach(() => (folder = newFolder()));

/** Runs the built program in the folder of the test. */
const run = (socketPath: string, ...args: readonly string[]) =>
  runCli(['--host', socketPath, 'report', ...args], { cwd: folder });

describe('meshprobe report', () => {
  const text = `{"reportVersion":1,"node":"c/n1","text":"a\u202e${'b'.repeat(200_000)}"}`;
  let socketPath: string;
  let server: Server;
  const serve = async (pieces: Iterable<string>, names = ['c/n1']) => {
    socketPath = join(folder, 'x.sock');
    server = await serveV1(new MemoryV1Source(names), socketPath, () => Promise.resolve(pieces));
  };
  afterEach(() => closeServer(server));
  const files = () => readdirSync(folder).filter((name) => name !== 'x.sock');

  test('writes a new file that only its owner may read, and says so on stderr', async () => {
    await serve([text]);
    const { code, stdout, stderr } = await run(socketPath, 'r.json');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^wrote r\.json \(195\.\d KiB\)\nIt has the names and addresses/);
    expect(readFileSync(join(folder, 'r.json'), 'utf8')).toBe(text);
    expect(statSync(join(folder, 'r.json')).mode & 0o777).toBe(0o600);
  });

  test('names the file by node and time, in this folder, and compresses it', async () => {
    await serve([text], ['../../c/n\u202e1']);
    expect((await run(socketPath)).code).toBe(0);
    const [name = '', ...others] = files();
    expect(others).toEqual([]);
    expect(name).toMatch(/^meshprobe-report-\.\.-\.\.-c-n-1-\d{8}T\d{6}Z\.json\.gz$/);
    expect(gunzipSync(readFileSync(join(folder, name))).toString()).toBe(text);
  });

  test('prints to stdout for -, and escapes what could reorder text', async () => {
    await serve([text]);
    const { code, stdout, stderr } = await run(socketPath, '-');
    expect([code, stderr, files()]).toEqual([0, '', []]);
    expect(stdout).not.toContain('\u202e');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(text));
  });

  test('compresses stdout if asked to, and no other file by that', async () => {
    await serve([text]);
    const command = `"${process.execPath}" "${program}" --host "${socketPath}" report --gzip - > r.json.gz`;
    const child = spawn('sh', ['-c', command], { cwd: folder, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([0, null]);
    const unpacked = gunzipSync(readFileSync(join(folder, 'r.json.gz'))).toString();
    expect(JSON.parse(unpacked)).toEqual(JSON.parse(text));
    for (const args of [['--gzip', 'x.json'], ['--gzip']]) {
      const { code, stderr } = await run(socketPath, ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--gzip: expected only with -')]);
    }
    expect(files()).toEqual(['r.json.gz']);
  });

  test.each(['r.json', 'r.json.gz'])('does not replace %s', async (name) => {
    await serve([text]);
    writeFileSync(join(folder, name), 'mine');
    const { code, stderr } = await run(socketPath, name);
    expect([code, stderr]).toEqual([
      2,
      `meshprobe: expected a file that can be made, got "${name}": it exists\n`,
    ]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
  });

  test('says in one line why a file cannot be made', async () => {
    await serve([text]);
    expect(await run(socketPath, 'none/r.json')).toEqual(
      refused(
        2,
        'meshprobe: expected a file that can be made, got "none/r.json": there is no such folder\n',
      ),
    );
  });

  test.each(['r.json', 'r.json.gz'])('leaves no %s if the agent ends midway', async (name) => {
    const pieces = function* () {
      yield text;
      throw new Error('the agent ends');
    };
    await serve(pieces());
    const { code, stderr } = await run(socketPath, name);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/closed the connection midway/)]);
    expect(files()).toEqual([]);
  });

  test('says on stderr that a compressed report on stdout is not whole', async () => {
    await serve(
      (function* () {
        yield text;
        throw new Error('the agent ends');
      })(),
    );
    const { code, stderr } = await run(socketPath, '--gzip', '-');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^meshprobe: .*closed the connection midway/),
    ]);
  });

  test.each([
    ['{"report":1}', /is no meshprobe agent: expected its JSON, got a body that is no report/],
    ['', /got a body that is no report/],
  ])('leaves no file if the answer is %s', async (body, words) => {
    await serve([body]);
    const { code, stderr } = await run(socketPath, 'r.json');
    expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
    expect(files()).toEqual([]);
  });

  test('exits 3 and leaves no file where no agent answers', async () => {
    await serve([text]);
    await closeServer(server);
    expect((await run(socketPath, 'r.json')).code).toBe(3);
    expect(files()).toEqual([]);
  });
});

describe('a reader that takes nothing', () => {
  test('is disconnected, so that others get a report', async () => {
    const endless = function* () {
      for (;;) yield 'x'.repeat(100_000);
    };
    const route = createReportRoute(() => Promise.resolve(endless()), { stallMs: 200 });
    const server = createHttpServer(route);
    const socketPath = join(folder, 'stall.sock');
    server.listen(socketPath);
    await once(server, 'listening');
    const cut: Promise<unknown>[] = [];
    server.on('connection', (socket) =>
      cut.push(new Promise((resolve) => socket.once('close', resolve))),
    );
    const open = async () => {
      const asked = request({ socketPath, path: '/v1/report', agent: false }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.on('error', () => undefined);
      const closed = new Promise((resolve) => answer.once('close', resolve));
      return { answer, closed };
    };
    try {
      const stalled = [await open(), await open()];
      const bothCut = Promise.all(cut);
      expect((await open()).answer.statusCode).toBe(503);
      // Their sockets are read no further than the first bytes.
      await vi.waitFor(async () => expect((await open()).answer.statusCode).toBe(200), 10_000);
      // One place is free as soon as one of them is cut. The other may not be read before it is cut too.
      await bothCut;
      for (const { answer, closed } of stalled) {
        answer.resume();
        await closed;
        expect(answer.complete).toBe(false);
      }
    } finally {
      await closeServer(server);
    }
  });
});

describe('the report of a real agent', () => {
  const bench = useAgentBench();

  test('has all that the agent knows and no secret, and gives the same findings again', async () => {
    const apiPort = await freePort();
    const nodes = [1, 2, 3].map((n) => ({
      name: `n${n}`,
      host: `127.0.4.${n}`,
      endpoint: `127.0.5.${n}`,
      zone: `zone-${n}`,
    }));
    const secrets = {
      key: 'mesh-key-of-the-test',
      token: 'api-token-of-the-test',
      query: 'query-of-the-test',
    };
    const url = `http://127.0.0.1:${apiPort}/healthz?token=${secrets.query}`;
    const targets = [{ name: 'api', from: 'host', http: { url, expectStatus: [] } }];
    const config = bench.file('agent.yaml', JSON.stringify({ targets }));
    const nodesFile = bench.file('nodes.json', JSON.stringify({ nodes }));
    const start = (n: number, ...flags: readonly string[]) =>
      bench.startNode({
        ...{ name: `n${n}`, nodes: nodesFile },
        listen: [`127.0.4.${n}`, `127.0.5.${n}`],
        more: [
          // More often, agents on a busy machine say of themselves that they come too late.
          ...['--icmp-interval', '500ms', '--http-interval', '500ms', '--probe-timeout', '300ms'],
          ...['--mesh-key-file', bench.file('mesh.key', secrets.key)],
          ...flags,
        ],
      });
    const tokenFile = bench.file('token', secrets.token);
    const api = ['--api-listen', `127.0.0.1:${apiPort}`, '--api-token-file', tokenFile];
    start(1, ...api, '--config', config);
    start(2);
    const socketPath = bench.path('n1.sock');
    // The third agent is not started. A starved host may have findings beside that.
    const finding: unknown = expect.objectContaining({ node: 'default/n3' });
    const aboutN3: unknown = expect.arrayContaining([finding]);
    await vi.waitFor(
      async () => {
        const { body } = await ask(socketPath, '/v1/findings');
        expect(body).toMatchObject({ observers: { fresh: 1 }, findings: aboutN3 });
      },
      { timeout: 90_000, interval: 100 },
    );

    expect((await run(socketPath, 'r.json')).code).toBe(0);
    const text = readFileSync(join(folder, 'r.json'), 'utf8');
    const report = reportSchema.parse(JSON.parse(text));
    expect(report).toMatchObject({
      node: 'default/n1',
      settings: {
        'http-interval': { value: '500ms', origin: 'flag --http-interval' },
        'api-token-file': { value: tokenFile },
        'probe-timeout': { value: '300ms' },
        targets: { value: [{ name: 'api', http: { url: url.replace(/\?.*/, '?...') } }] },
      },
      summary: { verdict: 'broken' },
      findings: { findings: aboutN3 },
      targets: { targets: [{ name: 'api', planes: { host: {} } }] },
      nodes: nodes.map(({ name, zone }) => ({ name: `default/${name}`, zone })),
      status: { nodes: nodes.map(({ name }) => ({ name: `default/${name}` })) },
    });
    expect(report.events.map(({ type }) => type)).toContain('finding');
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);

    const { input, output, unreadMemory } = readDiagnosis(report.diagnosis);
    expect([...input.rows].map(({ row }) => row.observer)).toEqual(['default/n1', 'default/n2']);
    expect(output.findings).toEqual(aboutN3);
    expect(diagnose(input).findings).toEqual(output.findings);
    expect([unreadMemory, input.previous?.findings]).toEqual([undefined, aboutN3]);

    const overTcp = await fetch(`http://127.0.0.1:${apiPort}/v1/report`, {
      headers: { authorization: `Bearer ${secrets.token}` },
    });
    expect(overTcp.status).toBe(404);
  }, 120_000);
});
