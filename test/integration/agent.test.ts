import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { ask, healthzOf, statusOf, useAgentBench } from './lib/agent-process.js';

const bench = useAgentBench();

const fast = ['--icmp-interval', '200ms', '--http-interval', '200ms', '--probe-timeout', '300ms'];

const nodesFile = (nodes: object[]) => bench.file('nodes.yaml', JSON.stringify({ nodes }));
const node = (n: number) => ({ name: `n${n}`, host: `127.0.4.${n}`, endpoint: `127.0.5.${n}` });

/** Starts an agent: n1, which is listed alone and listens at its node IP, if nothing else is said. */
function start({ more = [], ...options }: Partial<Parameters<typeof bench.startNode>[0]> = {}) {
  const usual = { name: 'n1', nodes: [node(1)], listen: ['127.0.4.1'] };
  return bench.startNode({ ...usual, ...options, more: [...fast, ...more] });
}

async function states(socketPath: string, protocol: 'icmp' | 'http') {
  const { nodes } = await statusOf(socketPath);
  return Object.fromEntries(
    nodes.flatMap(({ name, host, 'health-endpoint': endpoint }) => [
      [`${name} host`, host?.['primary-address']?.[protocol]?.state ?? 'unknown'],
      [`${name} endpoint`, endpoint?.['primary-address']?.[protocol]?.state ?? 'unknown'],
    ]),
  );
}

/** Waits until an agent has read its node list. */
const untilListed = (socketPath: string) =>
  eventually(async () => expect((await statusOf(socketPath)).nodes).toHaveLength(1));

/** Waits until an agent says this of its own GETs to a place. */
const untilSeen = (socketPath: string, place: string, state = 'reachable') =>
  eventually(async () => expect((await states(socketPath, 'http'))[place]).toBe(state));

const eventually = (check: () => Promise<void>, timeout = 40_000) =>
  vi.waitFor(check, { timeout, interval: 50 });

describe('two real agents on loopback', () => {
  test('find each other on both planes, see one go and come back, and drop a removed node', async () => {
    const path = nodesFile([node(1), node(2)]);
    const first = start({ nodes: path, listen: ['127.0.4.1', '127.0.5.1'] });
    const options = { name: 'n2', nodes: path, listen: ['127.0.4.2', '127.0.5.2'] };
    const second = start(options);
    const all = {
      'default/n1 host': 'reachable',
      'default/n1 endpoint': 'reachable',
      'default/n2 host': 'reachable',
      'default/n2 endpoint': 'reachable',
    };
    await eventually(async () => {
      expect(await states(first.socketPath, 'http')).toEqual(all);
      expect(await states(second.socketPath, 'http')).toEqual(all);
    });
    second.agent.child.kill('SIGSTOP');
    const frozen = {
      ...all,
      'default/n2 host': 'unreachable',
      'default/n2 endpoint': 'unreachable',
    };
    await eventually(async () => expect(await states(first.socketPath, 'http')).toEqual(frozen));
    const dead = (await statusOf(first.socketPath)).nodes[1]?.host?.['primary-address']?.http;
    expect(dead).toMatchObject({ status: 'Connection timed out' });
    expect(dead).not.toHaveProperty('latency');
    second.agent.child.kill('SIGCONT');
    await eventually(async () => expect(await states(first.socketPath, 'http')).toEqual(all));
    writeFileSync(`${path}.new`, JSON.stringify({ nodes: [node(1)] }));
    renameSync(`${path}.new`, path);
    await untilListed(first.socketPath);
    first.agent.child.kill('SIGTERM');
    second.agent.child.kill('SIGINT');
    expect(await Promise.all([first.agent.exited, second.agent.exited])).toEqual([0, 0]);
    expect(readdirSync(bench.folder)).toEqual(['nodes.yaml']);
  });

  test('keep a frozen peer reachable by ICMP where the machine lets them send it', async ({
    skip,
  }) => {
    const { socketPath } = start({ listen: ['127.0.4.9'] });
    await untilSeen(socketPath, 'default/n1 host', 'unreachable');
    const reason = (await statusOf(socketPath)).nodes[0]?.host?.['primary-address']?.unknown?.icmp;
    skip(reason !== undefined && reason !== 'not probed yet', `no ICMP here: ${reason ?? ''}`);
    expect((await states(socketPath, 'icmp'))['default/n1 host']).toBe('reachable');
  });
});

describe('PUT /v1beta/status/probe', () => {
  test('probes now: it sees what no interval has seen yet', async () => {
    const { agent, socketPath } = start({
      listen: ['127.0.4.1', '127.0.5.1'],
      more: ['--icmp-interval', '1h', '--http-interval', '1h'],
    });
    await untilSeen(socketPath, 'default/n1 host');
    const other = start({ name: 'n2', listen: ['127.0.4.2'] });
    const before = await statusOf(socketPath);
    const { status, body } = await ask(socketPath, '/v1beta/status/probe', 'PUT');
    expect(status).toBe(200);
    const probed = (it: unknown) =>
      (it as typeof before).nodes[0]?.host?.['primary-address']?.http?.lastProbed ?? '';
    expect(probed(body) > probed(before)).toBe(true);
    agent.child.kill('SIGTERM');
    other.agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
  });
});

describe('the agent by itself', () => {
  test('goes on without ICMP and gives the reason', async () => {
    const { agent, socketPath } = start({
      listen: ['127.0.4.1', '127.0.5.1'],
      more: ['--icmp-engine', 'off'],
    });
    await untilSeen(socketPath, 'default/n1 endpoint');
    expect(agent.output).toContain('"nodes":1,"pathsAdded":2,"pathsRemoved":0,');
    const [path] = (await statusOf(socketPath)).nodes;
    expect(path?.host?.['primary-address']?.unknown?.icmp).toContain('switched off');
    expect(path?.host?.['primary-address']).not.toHaveProperty('icmp');
  });

  test('does not probe endpoints where that is switched off', async () => {
    const { socketPath } = start({ more: ['--enable-endpoint-health-checking', 'false'] });
    await untilListed(socketPath);
    expect((await statusOf(socketPath)).nodes[0]).not.toHaveProperty('health-endpoint');
  });

  test('says once that its own node is not listed, and probes all the same', async () => {
    const { agent, socketPath } = start({ name: 'stranger', listen: ['127.0.4.1', '127.0.5.1'] });
    await untilSeen(socketPath, 'default/n1 host');
    const { problems } = await healthzOf(socketPath);
    expect(problems).toContain(
      "this agent's node default/stranger is not in the node list (--node-name)",
    );
    expect(agent.output.match(/this node is not in the node list/g)).toHaveLength(1);
  });

  test('serves the same status over TCP when it is told to', async () => {
    const { agent, socketPath } = start({ more: ['--api-listen', '127.0.0.1:0'] });
    const listening = /"port":(\d+),"msg":"JSON API is listening"/;
    await vi.waitFor(() => expect(agent.output).toMatch(listening), 40_000);
    const base = `http://127.0.0.1:${listening.exec(agent.output)?.[1] ?? ''}`;
    await untilListed(socketPath);
    const answer = (await (await fetch(`${base}/v1beta/status`)).json()) as { local: unknown };
    expect(answer.local).toEqual({ name: 'default/n1' });
    expect((await fetch(`${base}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${base}/v1beta/healthz`)).status).toBe(404);
  });

  test('serves the page to everyone, and the API to those who show the token of the file', async () => {
    const first = 'a-token-of-some-length';
    const second = 'another-token-of-some-length';
    const tokenFile = bench.file('token', `${first}\n`);
    const { agent } = start({
      more: ['--api-listen', '127.0.0.1:0', '--api-token-file', tokenFile],
    });
    const listening = /"port":(\d+),"msg":"JSON API is listening"/;
    await vi.waitFor(() => expect(agent.output).toMatch(listening), 40_000);
    const base = `http://127.0.0.1:${listening.exec(agent.output)?.[1] ?? ''}`;
    const statusWith = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${base}/v1beta/status`, { headers })).status;
    };
    const index = await fetch(base);
    expect(index.status).toBe(200);
    const script = /src="([^"]+)"/.exec(await index.text())?.[1] ?? '';
    expect((await fetch(`${base}${script}`)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${base}/v1beta/status`)).status).toBe(401);
    expect(await statusWith(first)).toBe(200);
    bench.file('token', second);
    await eventually(async () => expect(await statusWith(second)).toBe(200));
    expect(await statusWith(first)).toBe(401);
    expect(agent.output).not.toContain(second);
  });

  test('exits 2 with one line if the API would be open to other hosts or the token is invalid', async () => {
    const exitOf = async (...more: string[]): Promise<string> => {
      const { agent } = start({ more });
      expect(await agent.exited).toBe(2);
      return agent.errors;
    };
    expect(await exitOf('--api-listen', '0.0.0.0:4242')).toBe(
      'meshprobe-agent: api-listen: expected a loopback address, or --api-token-file FILE, or --api-insecure, got 0.0.0.0:4242 alone\n',
    );
    const tokenFile = bench.file('short', 'my secret');
    const refusal = await exitOf('--api-listen', '0.0.0.0:4242', '--api-token-file', tokenFile);
    expect(refusal).toMatch(
      /^meshprobe-agent: api-token-file: expected a token of at least 16 .*\n$/,
    );
    expect(refusal).not.toContain('my secret');
  });

  test('exits 1 with one line if another agent runs already, which keeps running', async () => {
    const nodes = nodesFile([node(1)]);
    const { socketPath } = start({ nodes });
    await untilListed(socketPath);
    const { agent } = start({ nodes, listen: ['127.0.4.2'] });
    expect(await agent.exited).toBe(1);
    expect(agent.errors).toMatch(
      /^meshprobe-agent: socket-path: an agent already answers on .*\n$/,
    );
    expect((await statusOf(socketPath)).nodes).toHaveLength(1);
  });

  test('exits 1 with one line where the probe port is taken, and leaves no socket', async () => {
    const first = start();
    await untilListed(first.socketPath);
    const { agent, socketPath } = start({ name: 'n2' });
    expect(await agent.exited).toBe(1);
    expect(agent.errors).toMatch(
      /^meshprobe-agent: responder: cannot listen on 127\.0\.4\.1, port \d+: the port is taken.*\n$/,
    );
    expect(existsSync(socketPath)).toBe(false);
  });

  test('starts again over what a killed agent left behind', async () => {
    const first = start();
    await untilListed(first.socketPath);
    await first.agent.kill();
    expect(existsSync(first.socketPath)).toBe(true);
    const second = start();
    await untilListed(second.socketPath);
  });

  test.each([
    [
      'a missing nodes file',
      ['--nodes-file', '/no/such/file'],
      'nodes-file: expected a readable file, got "/no/such/file": there is no such file',
    ],
    ['a folder as nodes file', ['--nodes-file', '/'], 'it is no regular file'],
    ['no nodes file', [], 'nodes-file: expected'],
    ['an unknown flag', ['--nodes', 'x'], "unknown option '--nodes'"],
    ['an unknown command', ['serve'], 'too many arguments'],
    [
      'a bad value',
      ['--nodes-file', 'x', '--probe-port', 'http'],
      'probe-port: expected a whole number from 1 to 65535, got "http" (flag --probe-port)',
    ],
    [
      'a bad responder flag',
      ['responder', '--probe-port', '0'],
      'probe-port: expected a whole number',
    ],
    [
      'a bad responder address',
      ['responder', '--listen-address', 'here'],
      'listen-address: expected one or more IP addresses, got "here"',
    ],
  ])('exits 2 with one line for %s', async (_, args, words) => {
    const agent = bench.start(args);
    expect(await agent.exited).toBe(2);
    expect(agent.errors).toContain(words);
    expect(agent.errors.trimEnd().split('\n')).toHaveLength(1);
    expect(agent.output).toBe('');
  });

  test('exits 2 where the nodes file is broken at the start, and leaves no socket', async () => {
    const path = bench.file('nodes.yaml', 'nodes: [{name: a, host: nowhere}]');
    const { agent, socketPath } = start({ name: 'a', nodes: path });
    expect(await agent.exited).toBe(2);
    expect(agent.errors).toBe(
      `meshprobe-agent: nodes-file: ${path}: nodes[0].host: expected an IP address, got "nowhere" (line 1, column 25)\n`,
    );
    expect(existsSync(socketPath)).toBe(false);
  });

  test('checks the configuration and the nodes file without starting', async () => {
    const good = bench.start(['--check-config', '--nodes-file', nodesFile([node(1), node(2)])]);
    expect(await good.exited).toBe(0);
    expect(good.output).toContain('The configuration is good: 2 nodes');
    const lone = bench.start(['--check-config', '--nodes-file', nodesFile([node(1)])]);
    expect(await lone.exited).toBe(0);
    expect(lone.output).toContain('The configuration is good: 1 node in');
    const bad = bench.start(['--check-config', '--nodes-file', bench.file('bad.yaml', 'nodes: 7')]);
    expect(await bad.exited).toBe(2);
    expect(bad.errors).toContain('nodes: expected a list of nodes, got 7');
  });

  test('the check refuses what an agent would not start with, and a list without a node', async () => {
    const good = ['--check-config', '--nodes-file', nodesFile([node(1)])];
    const group = bench.start([...good, '--socket-group', 'no-such-group']);
    expect(await group.exited).toBe(2);
    expect(group.errors).toContain('expected a group of this host, got "no-such-group"');
    const port = ['--api-listen', '4900', '--metrics-listen', '0.0.0.0:4900'];
    const shared = bench.start([...good, ...port]);
    expect(await shared.exited).toBe(2);
    expect(shared.errors).toContain(
      'metrics-listen: expected another address than that of api-listen, got 0.0.0.0:4900',
    );
    const none = bench.start(['--check-config', '--nodes-file', nodesFile([])]);
    expect(await none.exited).toBe(2);
    expect(none.errors).toContain('nodes: expected at least one node, got none');
  });

  test('the check warns of an own name that is not listed, with the nearest', async () => {
    const path = nodesFile([{ ...node(1), name: 'worker-1' }]);
    const args = ['--check-config', '--nodes-file', path, '--node-name'];
    const mistyped = bench.start([...args, 'wroker-1']);
    expect(await mistyped.exited).toBe(0);
    expect(mistyped.errors).toContain(
      "warning: this agent's node default/wroker-1 is not in the node list; the nearest name there is default/worker-1 (--node-name)",
    );
    const listed = bench.start([...args, 'worker-1']);
    expect(await listed.exited).toBe(0);
    expect(listed.errors).toBe('');
  });

  test('the check warns of nodes without a host address', async () => {
    const bare = [{ name: 'bare' }, { name: 'half', endpoint: '127.0.5.9' }];
    const agent = bench.start([
      ...['--check-config', '--node-name', 'n1'],
      ...['--nodes-file', nodesFile([node(1), ...bare])],
    ]);
    expect(await agent.exited).toBe(0);
    expect(agent.errors).toContain(
      'warning: default/bare, default/half have no host address and are excluded\n',
    );
  });

  test('shows every setting in its help, with examples', async () => {
    const agent = bench.start(['--help']);
    expect(await agent.exited).toBe(0);
    for (const words of [
      '--icmp-interval',
      '--listen-address',
      'Examples:',
      'meshprobe-agent responder',
    ]) {
      expect(agent.output).toContain(words);
    }
    // Commander's own word for the text that a flag without a value stands for.
    expect(agent.output).not.toContain('preset');
  });

  test('exits at once on a second signal', async () => {
    const { agent, socketPath } = start();
    await untilListed(socketPath);
    agent.child.kill('SIGTERM');
    agent.child.kill('SIGINT');
    expect([0, 130, 143]).toContain(await agent.exited);
    expect(existsSync(socketPath)).toBe(false);
  });

  test('goes on at SIGUSR1, at which Node listens for a debugger, and stops at SIGHUP', async () => {
    const { agent, socketPath } = start();
    await untilListed(socketPath);
    agent.child.kill('SIGUSR1');
    await untilListed(socketPath);
    agent.child.kill('SIGHUP');
    expect(await agent.exited).toBe(0);
    expect(agent.errors).toBe('');
  });
});

describe('the responder by itself', () => {
  test('answers, and stops with exit code 0', async () => {
    const agent = bench.start([
      'responder',
      '--listen-address',
      '127.0.5.7',
      '--probe-port',
      String(bench.port),
    ]);
    await eventually(async () => {
      const answer = await fetch(`http://127.0.5.7:${bench.port}/hello`);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    });
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
  });

  test('takes its port and addresses as the agent does: from variables, with spaces, repeated', async () => {
    const args = ['responder', '--listen-address', '127.0.5.8, 127.0.5.9,127.0.5.8'];
    const agent = bench.start(args, { MESHPROBE_PROBE_PORT: String(bench.port) });
    for (const ip of ['127.0.5.8', '127.0.5.9']) {
      await eventually(async () => {
        expect((await fetch(`http://${ip}:${bench.port}/hello`)).status).toBe(200);
      });
    }
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
  });

  test('names the variable that it refuses', async () => {
    const agent = bench.start(['responder'], { MESHPROBE_PROBE_PORT: 'http' });
    expect(await agent.exited).toBe(2);
    expect(agent.errors).toBe(
      'meshprobe-agent: probe-port: expected a whole number from 1 to 65535, got "http" (environment variable MESHPROBE_PROBE_PORT)\n',
    );
  });
});
