import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, request, type Server as PlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listen } from '../resources/listen.js';
import { printed, refused } from '../resources/program.js';
import { AgentBench } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { runHere } from './lib/run-here.js';

const token = 'correct-horse-battery-staple';
const bench = new AgentBench();
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const servers: (Server | PlainServer)[] = [];
let apiPort: number;
let tokenFile: string;
let tcp: string;

beforeAll(async () => {
  apiPort = await freePort();
  tokenFile = bench.file('token', `${token}\n`);
  tcp = `tcp://127.0.0.1:${apiPort}`;
  bench.start([
    ...bench.loneAgent(await freePort()),
    ...['--api-listen', `127.0.0.1:${apiPort}`, '--api-token-file', tokenFile],
    ...['--mesh', 'off'],
  ]);
  const isListed = async () =>
    (await run('nodes', '-H', tcp, '--token-file', tokenFile)).stdout.includes('default/n1');
  await vi.waitUntil(isListed, { timeout: 40_000, interval: 100 });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await bench.close();
});

const runIn = (env: Record<string, string>, ...argv: readonly string[]) => runHere(argv, env);
const run = (...argv: readonly string[]) => runIn({}, ...argv);

describe('an agent that expects a token', () => {
  test('answers the commands that read, with a token from a flag or the environment', async () => {
    for (const command of ['status', 'diagnose', 'nodes', 'matrix', 'events']) {
      const { stderr } = await run(command, '-H', tcp, '--token-file', tokenFile);
      expect([command, stderr]).toEqual([command, '']);
    }
    const fromEnvironment = { MESHPROBE_SOCK: tcp, MESHPROBE_TOKEN_FILE: tokenFile };
    expect((await runIn(fromEnvironment, 'nodes')).code).toBe(0);
    const other = bench.file('other-token', 'x'.repeat(20));
    const both = { ...fromEnvironment, MESHPROBE_TOKEN_FILE: other };
    expect((await runIn(both, 'nodes', '--token-file', tokenFile)).code).toBe(0);
  });

  test('refuses without the token or with another one, and the CLI says what to do', async () => {
    expect(await run('nodes', '-H', tcp)).toEqual(
      refused(
        3,
        `meshprobe: ${tcp} expects an API token\nName a file that holds the token with --token-file or MESHPROBE_TOKEN_FILE.\n`,
      ),
    );
    const wrong = bench.file('wrong-token', 'wrong-horse-battery-staple');
    const refusals = [
      await run('events', '-H', tcp, '--token-file', wrong),
      await run('wait', '-H', tcp, '--token-file', wrong),
    ];
    for (const { code, stdout, stderr } of refusals) {
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain(`${tcp} expects another API token\n`);
      expect(stderr).not.toContain('horse');
    }
  });

  test('answers a ping, which needs a good token too', async () => {
    expect(await run('ping', '-H', tcp, '--token-file', tokenFile)).toEqual(printed(0, 'OK\n'));
    expect((await run('ping', '-H', tcp)).code).toBe(3);
  });

  test.each([
    ['report', '-'],
    ['status', '--probe'],
    ['trace', 'n1'],
    ['mtu', 'n1'],
    ['flows', 'n1'],
    ['notify', 'test'],
    ['throughput', 'n1'],
  ])('says of %s that it needs the unix socket', async (...command) => {
    const { code, stdout, stderr } = await run(...command, '-H', tcp, '--token-file', tokenFile);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`meshprobe: ${tcp} is read-only: `);
    expect(stderr).toContain("need the agent's unix socket\n");
  });

  test('gets a token from a pipe, and none over the unix socket', async () => {
    const script = `${process.execPath} dist/cli/main.js nodes -H ${tcp} --token-file <(cat ${tokenFile})`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toContain('default/n1');
    const socket = { MESHPROBE_SOCK: bench.path('n1.sock'), MESHPROBE_TOKEN_FILE: '/no/such/file' };
    expect((await runIn(socket, 'ping')).stdout).toBe('OK\n');
  });

  test.each([
    ['a file that is not there', '/no/such/file', 'there is no such file'],
    ['a folder', '/', 'it is a folder'],
    ['an endless file', '/dev/zero', 'it has more than 4096 bytes'],
    ['an empty file', '/dev/null', 'got nothing'],
  ])('is not asked with %s as the token', async (_, path, words) => {
    const { code, stdout, stderr } = await run('nodes', '-H', tcp, '--token-file', path);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('meshprobe: --token-file: expected');
    expect(stderr).toContain(words);
  });

  test('is not asked with a token that could break a header, and the error does not show it', async () => {
    for (const bad of ['sesame\r\nX-Other: 1 and more', 'sesame', 'sesame-\u001b-and-some-more']) {
      const environment = { MESHPROBE_TOKEN_FILE: bench.file('bad-token', bad) };
      const { code, stderr } = await runIn(environment, 'nodes', '-H', tcp);
      expect(code).toBe(2);
      expect(stderr).toContain('MESHPROBE_TOKEN_FILE: expected a token of at least 16 letters');
      expect(stderr).not.toContain('sesame');
    }
  });
});

// Without openssl there is nothing that makes certificates.
describe.runIf(hasOpenssl)('a proxy before the agent that speaks TLS', () => {
  const inTls = (name: string) => bench.path(`tls/${name}`);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const key = (name: string) => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', inTls(`${name}.key`)],
  ];

  function makeCa(name: string): void {
    const to = ['-out', inTls(`${name}.pem`), '-days', '2', '-subj', `/CN=${name}`];
    openssl('req', '-x509', ...key(name), ...to);
  }

  /** A certificate of the CA for `localhost` alone. */
  function makeCertificate(name: string, ca: string, days = '2'): void {
    const names = bench.file('tls/names', 'subjectAltName=DNS:localhost');
    openssl('req', ...key(name), '-out', inTls(`${name}.csr`), '-subj', `/CN=${name}`);
    openssl(
      ...['x509', '-req', '-in', inTls(`${name}.csr`), '-out', inTls(`${name}.pem`)],
      ...['-CA', inTls(`${ca}.pem`), '-CAkey', inTls(`${ca}.key`), '-CAcreateserial'],
      ...['-days', days, '-extfile', names],
    );
  }

  /** Passes each request on to the agent, as an ingress does, and says what it was asked. */
  async function serveTls(name: string): Promise<{ port: number; hosts: (string | undefined)[] }> {
    const hosts: (string | undefined)[] = [];
    const server = createServer(
      { key: readFileSync(inTls(`${name}.key`)), cert: readFileSync(inTls(`${name}.pem`)) },
      (asked, answer) => {
        hosts.push(asked.headers.host);
        const { method, url: path, headers } = asked;
        const onward = request({ host: '127.0.0.1', port: apiPort, method, path, headers });
        onward.on('response', (got) => {
          answer.writeHead(got.statusCode ?? 502, got.headers);
          got.pipe(answer);
        });
        asked.pipe(onward);
      },
    );
    servers.push(server);
    return { port: await listen(server), hosts };
  }

  const ask = (url: string, ca = 'ca') =>
    run('nodes', '-H', url, '--token-file', tokenFile, '--ca', inTls(`${ca}.pem`));

  beforeAll(() => {
    mkdirSync(inTls('.'));
    for (const ca of ['ca', 'other-ca']) makeCa(ca);
    makeCertificate('server', 'ca');
  });

  test('is asked by its own name, and trusted because of --ca', async () => {
    const { port, hosts } = await serveTls('server');
    const { code, stdout, stderr } = await ask(`https://localhost:${port}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('default/n1');
    // It asks for the nodes, and for what is not probed.
    expect(hosts).toEqual([`localhost:${port}`, `localhost:${port}`]);
    const events = await run(
      ...['events', '-H', `https://localhost:${port}/`, '--ca', inTls('ca.pem')],
      ...['--token-file', tokenFile],
    );
    expect([events.code, events.stderr]).toEqual([0, '']);
    const readOnly = await run('ping', '-H', `https://localhost:${port}`, '--ca', inTls('ca.pem'));
    expect([readOnly.code, readOnly.stderr]).toEqual([
      3,
      expect.stringContaining('expects an API token'),
    ]);
  });

  test('is not told the token if its CA is another one, or its name', async () => {
    const { port, hosts } = await serveTls('server');
    for (const [url, ca, words] of [
      [`https://localhost:${port}`, 'other-ca', 'its certificate is of a CA that is not trusted'],
      [`https://127.0.0.1:${port}`, 'ca', 'its certificate is for another name'],
    ] as const) {
      const { code, stdout, stderr } = await ask(url, ca);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain(`cannot reach the agent on ${url}: ${words}\n`);
      expect(stderr).toContain('--ca');
    }
    const withoutCa = await run('nodes', '-H', `https://localhost:${port}`);
    expect(withoutCa.stderr).toContain('a CA that is not trusted');
    expect(hosts).toEqual([]);
  });

  test('is distrusted if its certificate has expired', async () => {
    makeCertificate('expired', 'ca', '-1');
    const { port } = await serveTls('expired');
    const { stderr } = await ask(`https://localhost:${port}`);
    expect(stderr).toContain('its certificate has expired\nIs the clock of this host right?');
    expect(stderr).not.toContain('--ca');
  });

  test('is told from a server that speaks no TLS', async () => {
    const { code, stderr } = await ask(`https://127.0.0.1:${apiPort}`);
    expect([code, stderr]).toEqual([3, expect.stringContaining('it does not speak TLS\n')]);
    const silent = createTcpServer();
    const port = await listen(silent);
    const hung = await run('nodes', '-H', `https://127.0.0.1:${port}`, '--timeout', '300ms');
    silent.close();
    expect([hung.code, hung.stderr]).toEqual([3, expect.stringContaining('within 300 ms')]);
  });

  test('needs a file of certificates as its CA', async () => {
    writeFileSync(
      inTls('broken.pem'),
      '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n',
    );
    for (const [path, words] of [
      ['/no/such/file', 'there is no such file'],
      [inTls('server.key'), 'expected a file of PEM certificates, got none in'],
      [inTls('broken.pem'), 'got one that cannot be read'],
    ] as const) {
      const { code, stderr } = await run('nodes', '-H', 'https://localhost:1', '--ca', path);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).toContain('meshprobe: --ca: ');
    }
  });
});

test('--ca is refused where it would protect nothing', async () => {
  const { code, stderr } = await run('nodes', '-H', 'tcp://127.0.0.1:1', '--ca', '/x');
  expect([code, stderr]).toEqual([
    2,
    'meshprobe: --ca: expected only with an https:// address, got tcp://127.0.0.1:1\n',
  ]);
});

test('an answer of a plain server is not taken for an agent', async () => {
  const server = createPlainServer((_, answer) => void answer.end('hello'));
  servers.push(server);
  const port = await listen(server);
  const { code, stderr } = await run('nodes', '-H', `tcp://127.0.0.1:${port}`);
  expect([code, stderr]).toEqual([3, expect.stringContaining('is no meshprobe agent')]);
});
