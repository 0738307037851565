import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../resources/folder.js';
import { printed } from '../resources/program.js';
import { runProgram } from '../../cli/program.js';
import { runHere } from './lib/run-here.js';

const body = {
  local: { name: 'c/a' },
  timestamp: '2020-12-29T15:17:02Z',
  extra: { kept: true },
  nodes: [
    {
      name: 'c/a',
      host: {
        'primary-address': {
          ip: '10.0.0.1',
          icmp: { latency: 1000 },
          http: { latency: 2000, phase: 7 },
        },
      },
    },
  ],
};
const healthz = {
  uptime: '1s',
  'system-load': { last1min: '0.10', last5min: '0.20', last15min: '0.30' },
};

let folder: string;
let socketPath: string;
const servers: Server[] = [];
const sockets = new Set<Socket>();
beforeEach(() => {
  folder = newFolder();
  socketPath = join(folder, 'x.sock');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server, at: string | number): Promise<void> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  if (typeof at === 'string') server.listen(at);
  else server.listen(at, '127.0.0.1');
  await once(server, 'listening');
}

/** Listens on the socket and treats each connection as the test says. */
const answering = (behave: (socket: Socket) => void) =>
  listen(
    createServer((socket) => socket.once('data', () => behave(socket))),
    socketPath,
  );
const answeringWith = (text: string) => answering((socket) => socket.end(text));

/** Serves one fixed answer of the API and records the requests. */
async function agent(
  at: string | number = socketPath,
  answer: unknown = body,
  status = 200,
  health: unknown = healthz,
): Promise<string[]> {
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const what = request.url === '/v1beta/healthz' && status === 200 ? health : answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(what));
  });
  await listen(server, at);
  return asked;
}

async function run(
  argv: readonly string[],
  env: Record<string, string> = { MESHPROBE_SOCK: socketPath },
  signal = new AbortController().signal,
) {
  return runHere(argv, env, { signal });
}

describe('meshprobe', () => {
  test('asks the agent that the environment names, as a path or a URL, or that --host names', async () => {
    await agent();
    expect(await run(['ping'])).toEqual(printed(0, 'OK\n'));
    expect((await run(['ping'], { MESHPROBE_SOCK: `unix://${socketPath}` })).code).toBe(0);
    expect((await run(['-H', socketPath, 'ping'], { MESHPROBE_SOCK: '/no/such' })).code).toBe(0);
    expect((await run(['ping', '--host', `unix://${socketPath}`], {})).code).toBe(0);
  });

  test('asks over TCP', async () => {
    await agent(0);
    const address = servers[0]?.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect((await run(['status', '-H', `tcp://127.0.0.1:${port}`])).stdout).toContain('10.0.0.1');
  });

  test('shows one node, by its name or its full name', async () => {
    await agent();
    for (const name of ['a', 'c/a']) {
      const { code, stdout } = await run(['status', name]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('  c/a (localhost):\n')]);
    }
    expect(JSON.parse((await run(['status', 'a', '-o', 'json'])).stdout)).toEqual(body);
    expect((await run(['status', 'a', '--succinct'])).stdout).toContain('1/1 reachable');
    const { code, stdout, stderr } = await run(['status', 'n9\u001b']);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'meshprobe: there is no node n9\\x1b (meshprobe nodes lists them)\n',
    ]);
  });

  test('says that the own node of the agent is not listed, with the name that was meant', async () => {
    const text =
      "this agent's node c/a.\u001bx is not in the node list; the nearest name there is c/a (--node-name)";
    const details = [
      { code: 'other', severity: 'warning', text: 'x' },
      { code: 'local-node', severity: 'warning', text },
    ];
    const health = { ...healthz, problems: ['x', text], 'problem-details': details };
    await agent(socketPath, { ...body, local: { name: 'c/a.\u001bx' } }, 200, health);
    const line =
      "This agent's node c/a.\\x1bx is not in the node list; the nearest name there is c/a (--node-name): meshprobe diagnose\n";
    for (const argv of [['status'], ['status', 'c/a'], ['status', '--succinct']]) {
      expect((await run(argv)).stdout).toContain(line);
    }
  });

  test('says that the own node is not listed where the agent does not know a name', async () => {
    await agent(socketPath, { ...body, local: { name: 'c/b' } });
    expect((await run(['status'])).stdout).toContain(
      "This agent's node c/b is not in the node list: meshprobe diagnose\n",
    );
  });

  test('understands a Cilium agent that has just started, whose Go leaves out what is empty', async () => {
    await agent(socketPath, { local: {}, timestamp: 't', nodes: null });
    expect((await run(['status'])).stdout).toBe('Probe time:   t\nNodes:\n');
  });

  test('understands nodes and addresses whose empty texts Go has left out', async () => {
    const host = { 'primary-address': { icmp: {} }, 'secondary-addresses': [{ http: null }] };
    await agent(socketPath, { nodes: [{ host, endpoint: {}, 'health-endpoint': host }] });
    const { code, stdout } = await run(['status', '--succinct']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Unavailable')]);
    expect((await run(['status'])).stdout).toContain('    Host connectivity to Unavailable:\n');
  });

  test('shows the status, cached or freshly probed', async () => {
    const asked = await agent();
    expect((await run(['status'])).stdout).toContain('ICMP to stack:   OK, RTT=1µs');
    expect((await run(['connectivity', '--succinct', '--probe'])).stdout).toContain(
      '1/1 reachable',
    );
    expect(asked).toEqual(['GET /v1beta/status?brief=true', 'PUT /v1beta/status/probe?brief=true']);
  });

  test('shows the status of an agent that knows its path without a query alone', async () => {
    const asked: string[] = [];
    const strict = createHttpServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const isKnown = ['/v1beta/status', '/v1beta/status/probe'].includes(request.url ?? '');
      response
        .writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(isKnown ? body : 'not found'));
    });
    await listen(strict, socketPath);
    for (const argv of [['status'], ['status', '--probe', '--succinct']]) {
      expect((await run(argv)).code).toBe(0);
    }
    expect(asked.filter((call) => !call.includes('?'))).toEqual([
      'GET /v1beta/status',
      'PUT /v1beta/status/probe',
    ]);
  });

  test('prints the status as newer cilium-health does, which is a form of text alone', async () => {
    await agent();
    const { code, stdout } = await run(['status', '--format', 'cilium']);
    expect([code, stdout.split('\n')[1]]).toEqual([
      0,
      expect.stringMatching(/^Name +IP +Node +Endpoints$/),
    ]);
    expect((await run(['status', '--format', 'cilium', '--verbose'])).stdout).toContain(
      '(Last probed: ',
    );
    const refused = await run(['status', '--format', 'cilium', '-o', 'json']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'meshprobe: --format cilium is a form of text: expected no -o or -o text, got -o json\n',
    ]);
    expect((await run(['status', '--format', 'go'])).code).toBe(2);
  });

  test('prints all that the API says as JSON and YAML', async () => {
    await agent();
    expect(JSON.parse((await run(['status', '-o', 'json'])).stdout)).toEqual(body);
    expect((await run(['status', '-o', 'yaml'])).stdout).toContain('extra:\n  kept: true\n');
  });

  test.each(['get', 'inspect', 'show'])('shows the agent itself with %s', async (command) => {
    await agent();
    expect((await run([command])).stdout).toBe(
      'Daemon uptime:   1s\nNode load:       0.10 0.20 0.30\n',
    );
  });

  test.each(['bash', 'zsh', 'fish'])(
    'prints a completion for %s that names every command',
    async (shell) => {
      const { code, stdout } = await run(['completion', shell]);
      expect(code).toBe(0);
      for (const word of ['status', 'ping', 'completion', 'succinct', 'timeout'])
        expect(stdout).toContain(word);
    },
  );

  test('prints a bash completion that completes', async () => {
    const { stdout } = await run(['completion', 'bash']);
    const script = `${stdout}\nCOMP_WORDS=(meshprobe status --su); COMP_CWORD=2; _meshprobe; echo "\${COMPREPLY[@]}"`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toBe('--succinct\n');
  });

  test.each([['status'], ['get'], ['ping'], ['completion'], []])(
    'gives examples in the help of %s',
    async (...command) => {
      const { code, stdout } = await run([...command, '--help']);
      expect([code, stdout.includes('Examples:')]).toEqual([0, true]);
    },
  );
});

describe('meshprobe, used wrongly', () => {
  test.each([
    [
      ['status', '-H', 'x.sock'],
      '--host: expected unix:///path, an absolute path, tcp://host:port or https://host[:port], got "x.sock"',
    ],
    [['status', '-H', 'tcp://127.0.0.1'], 'got "tcp://127.0.0.1"'],
    [['status', '-H', 'http://127.0.0.1:1'], 'got "http://127.0.0.1:1"'],
    [['ping', '-H', `/${'x'.repeat(107)}`], '--host: expected the path of a unix socket, at most'],
    [['status', '-o', 'xml'], 'Allowed choices are text, json, yaml'],
    [['status', '--fast'], "unknown option '--fast'"],
    [
      ['ping', '--timeout', '3'],
      '--timeout: expected a duration such as 500ms, 30s or 2m, got "3"',
    ],
    [['ping', '--timeout', '0s'], '--timeout: expected a duration from 1ms to 24h, got "0s"'],
    [['pong'], "unknown command 'pong'"],
    [['history', ''], "command-argument value '' is invalid for argument 'node'. Expected NAME"],
    [['diagnose', ' '], 'Expected NAME or CLUSTER/NAME.'],
    [['node', '..'], 'Expected NAME or CLUSTER/NAME.'],
    [['wait', '--node', '.'], 'Expected NAME or CLUSTER/NAME.'],
    [['targets', '..'], 'Expected the name of a target.'],
    [['status', 'n'.repeat(508)], 'Expected at most 507 characters.'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
    [[], 'Usage: meshprobe'],
  ])('exits 2 for %j', async (argv, words) => {
    const { code, stdout, stderr } = await run(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  test('exits 2 for an environment that makes no sense', async () => {
    const { code, stderr } = await run(['ping'], { MESHPROBE_SOCK: 'nonsense' });
    expect(code).toBe(2);
    expect(stderr).toContain('MESHPROBE_SOCK: expected');
  });
});

describe('meshprobe without an agent that answers well', () => {
  const refused = async (words: string, hint: string, argv = ['status']) => {
    const { code, stdout, stderr } = await run(argv);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(words);
    expect(stderr).toContain(hint);
    expect(stderr).toContain(socketPath);
  };

  test('says that there is no such socket', () =>
    refused('there is no such socket', 'Is meshprobe-agent running on this node?'));

  test('says that no one listens on a socket left behind', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    await refused(
      'nothing listens there',
      'the agent that made this socket is gone'.replace('the', 'The'),
    );
  });

  test('says that a file is no socket', async () => {
    writeFileSync(socketPath, '');
    await refused('it is no socket', 'Name the socket of meshprobe-agent');
  });

  test.each([[['get']], [['status', '--probe']], [['trace', 'node1']]])(
    'says of %j over TCP that it needs the socket',
    async (argv) => {
      await agent(0, 'no such path, see /openapi.json', 404);
      const address = servers[0]?.address();
      const host = `tcp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      const { code, stdout, stderr } = await run([...argv, '-H', host]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        `meshprobe: ${host} is read-only: get (but for problems), report, status --probe, trace, mtu, flows, notify and throughput NODE need the agent's unix socket\n`,
      );
    },
  );

  test('says that something else answers over TCP, as it serves neither the health nor the summary', async () => {
    await agent(0, 'not found', 404);
    const address = servers[0]?.address();
    const host = `tcp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const { code, stderr } = await run(['ping', '-H', host]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('does not serve /v1/summary: its agent is older or another one'),
    ]);
  });

  test('says that an agent without history answered so, not that the node is wrong', async () => {
    await agent(socketPath, { code: 404, message: 'path was not found' }, 404);
    await refused('answered 404', '', ['history', 'node1']);
  });

  test('says that permission is missing', async () => {
    await agent();
    chmodSync(socketPath, 0);
    chmodSync(folder, 0o755);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      await refused('permission denied', '--socket-group');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('gives up on an agent that hangs', async () => {
    await listen(createServer(), socketPath);
    await refused('did not answer within 200 ms', 'longer --timeout', [
      'status',
      '--timeout',
      '200ms',
    ]);
  });

  test('says on a terminal whom it waits for, until the answer comes', async () => {
    let answerNow: (() => void) | undefined;
    const server = createHttpServer((_, response) => {
      answerNow = () => response.end(JSON.stringify(healthz));
    });
    await listen(server, socketPath);
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runProgram(['ping'], {
      stdout: { write: (text) => out.push(String(text)) },
      stderr: {
        isTTY: true,
        write: (text) => {
          err.push(String(text));
          answerNow?.();
        },
      },
      env: { MESHPROBE_SOCK: socketPath },
      signal: new AbortController().signal,
    });
    expect([code, out.join('')]).toEqual([0, 'OK\n']);
    expect(err[0]).toMatch(/^\rWaiting for unix:\/\/\S*x\.sock\.\.\. [2-9] s/);
    expect(err.at(-1)).toBe('\r\x1b[K');
  });

  test('gives up on an agent whose answer does not end', async () => {
    await answering((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[');
      const timer = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(timer));
    });
    await refused('did not answer within 300 ms', 'longer --timeout', [
      'status',
      '--timeout',
      '300ms',
    ]);
  });

  test.each([
    ['garbage', 'hello, world\r\n\r\n', 'something that is not HTTP'],
    ['no JSON', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n<html>', 'a body that is no JSON'],
    ['nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'an empty body'],
    [
      'JSON of another shape',
      'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"local":{"name":"a"},"timestamp":"t","nodes":[{"name":7}]}',
      'nodes.0.name',
    ],
  ])('says that %s is no answer', async (_, text, words) => {
    await answeringWith(text);
    await refused(words, 'is no meshprobe agent');
  });

  const begun =
    '{"type":"begin","test":"flows","node":"c/a","plane":"host","protocol":"http","address":"10.0.0.1"}\n';
  test.each([
    ['an answer', ['status'], 'content-length: 100\r\n\r\n{"local"'],
    ['an answer in chunks', ['status'], 'transfer-encoding: chunked\r\n\r\n8\r\n{"local"\r\n'],
    ['a report', ['report', '-'], 'content-length: 100\r\n\r\n{"reportVersion":1'],
    ['a test', ['flows', 'a', '-o', 'json'], `content-length: 500\r\n\r\n${begun}`],
    // A proxy may end the body by itself.
    ['a test without its end', ['flows', 'a', '-o', 'json'], `connection: close\r\n\r\n${begun}`],
  ])('says of %s that is cut that the agent has gone midway', async (_, argv, text) => {
    await answeringWith(`HTTP/1.1 200 OK\r\n${text}`);
    const { code, stderr } = await run(argv);
    expect([code, stderr]).toEqual([
      3,
      `meshprobe: cannot reach the agent on unix://${socketPath}: it closed the connection midway\n` +
        'The agent may be stopping or starting: try again, and look at its log.\n',
    ]);
  });

  test('says that the connection was closed', async () => {
    await answeringWith('');
    await refused('closed the connection', 'stopping or starting');
  });

  test("passes on the agent's own words", async () => {
    await agent(socketPath, 'the agent is stopping', 500);
    await refused('answered 500: the agent is stopping', '', ['status', '--probe']);
  });

  test('escapes the words of an agent', async () => {
    await agent(socketPath, '\u001b]0;owned\u0007', 500);
    await refused('answered 500: \\x1b]0;owned\\x07', '');
  });

  test('exits 130 when the user stops it', async () => {
    await listen(createServer(), socketPath);
    const stopping = new AbortController();
    const result = run(['status'], { MESHPROBE_SOCK: socketPath }, stopping.signal);
    if (servers[0]) await once(servers[0], 'connection');
    stopping.abort();
    expect((await result).code).toBe(130);
  });
});

describe('the built meshprobe', () => {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

  test('says which socket it looked for by default', () => {
    const { status, stderr } = spawnSync(program, ['-H', join(folder, 'none.sock'), 'ping'], {
      encoding: 'utf8',
    });
    expect(status).toBe(3);
    expect(stderr).toContain(`unix://${folder}/none.sock`);
  });

  test('writes all of an answer to a slow reader before it exits', async () => {
    const nodes = Array.from({ length: 5000 }, (_, at) => ({ name: `n${at}` }));
    const asked = await agent(socketPath, { ...body, nodes: [...body.nodes, ...nodes] });
    const { stdout } = await run(['status']);
    const child = spawn(program, ['status', '-H', socketPath], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // It has written what the pipe takes once it has asked and nobody reads.
    await once(child.stdout, 'readable');
    expect(asked).toHaveLength(2);
    expect(await text(child.stdout)).toBe(stdout);
  });

  test('knows its version, its commit and that of Node.js', () => {
    expect(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout).toMatch(
      /^\d+\.\d+\.\d+ \(commit (unknown|[0-9a-f]{12}(-dirty)?), Node\.js v\d+\.\d+\.\d+\)\n$/,
    );
  });
});
