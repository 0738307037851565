import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiServer } from '../doubles/api-server/api-server.js';
import { ExecServer } from '../doubles/api-server/exec-server.js';
import { kubeconfigText } from '../doubles/api-server/kubeconfig.js';
import { podObject } from '../doubles/api-server/objects.js';
import { newFolder } from '../resources/folder.js';
import { cli, printed, refused, type Ended } from '../resources/program.js';
import { whyNoTool } from './deploy/lib/tools.js';
import { startApiServer } from '../doubles/api-server/start-api-server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plugin = join(root, 'dist/cli/kubectl-meshprobe.js');
const labels = { 'app.kubernetes.io/name': 'meshprobe', 'app.kubernetes.io/component': 'agent' };
const noKubectl = whyNoTool('kubectl');

let folder: string;
beforeEach(() => (folder = newFolder()));

/** Runs a program to its end, without blocking the doubles of this process. */
async function run(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<Ended> {
  const child = spawn(file, args, { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

describe('the plug-in with kubectl, and doubles of the API server and of exec', () => {
  beforeEach(({ skip }) => skip(noKubectl !== undefined, noKubectl));
  let api: ApiServer;
  let server: ExecServer;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    api = await startApiServer();
    api.collection('/apis/apps/v1/daemonsets');
    server = new ExecServer(api, (command) => {
      const at = command.indexOf('meshprobe');
      const variables = command.slice(1, Math.max(at, 1));
      return ['env', ...variables, process.execPath, cli, ...command.slice(at + 1)];
    });
    const kubeconfig = join(folder, 'config');
    writeFileSync(kubeconfig, kubeconfigText(await server.start()));
    // Not the kubeconfig, the cache or the proxy of who runs the tests.
    env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfig, NO_PROXY: '*' };
  });
  afterEach(() => server.stop());

  const ask = (args: readonly string[], input?: string) =>
    run(process.execPath, [plugin, ...args], env, input);

  function addAgents(namespace: string, ...nodes: readonly string[]): void {
    api
      .collection('/apis/apps/v1/daemonsets')
      .put({ metadata: { name: 'meshprobe', namespace, labels } });
    api.pods(namespace);
    for (const node of nodes) addPod(namespace, node, true);
  }
  function addPod(namespace: string, node: string, isReady: boolean): void {
    const pod = podObject(`meshprobe-${node}`, { namespace, node, labels });
    api.pods(namespace).put({
      ...pod,
      spec: { ...(pod['spec'] as object), containers: [{ name: 'agent' }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      },
    });
  }

  test('runs the CLI beside the agent of a node, in the namespace that it finds', async () => {
    addAgents('net', 'node1', 'node2');
    const { code, stdout, stderr } = await ask(['--node=node2', 'diagnose', '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: meshprobe diagnose');
    expect(server.execs).toEqual([
      {
        pod: 'meshprobe-node2',
        container: 'agent',
        command: ['meshprobe', 'diagnose', '--help'],
        isTerminal: false,
        sizes: [],
      },
    ]);
  });

  test('is run by `kubectl meshprobe`', async () => {
    addAgents('net', 'node1');
    symlinkSync(plugin, join(folder, 'kubectl-meshprobe'));
    const path = [folder, dirname(process.execPath), env['PATH']].join(delimiter);
    const ended = await run('kubectl', ['meshprobe', 'diff'], { ...env, PATH: path });
    expect([ended.code, server.execs.length]).toEqual([2, 1]);
  });

  test('gives standard input to `diff -`', async () => {
    addAgents('net', 'node1');
    const { code, stderr } = await ask(['diff', '-', join(folder, 'x')], '{ "nonsense": 1 }');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^meshprobe: the standard input: /)]);
  });

  test('gives both ends of a client to `mcp`, and never a terminal', async () => {
    addAgents('net', 'node1');
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    expect(await ask(['mcp'], ping)).toEqual(printed(0, '{"result":{},"jsonrpc":"2.0","id":1}\n'));
    expect(server.execs).toMatchObject([{ command: ['meshprobe', 'mcp'], isTerminal: false }]);
  });

  test('passes on the exit code and what the CLI says, and nothing that kubectl adds', async () => {
    addAgents('net', 'node1');
    const ended = await ask(['-n', 'net', 'status', '-H', join(folder, 'none.sock')]);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(/^meshprobe: .*none\.sock/);
    expect(ended.stderr).not.toContain('command terminated');
    expect(await ask(['-n', 'net', 'nonsense'])).toMatchObject({ code: 2 });
  });

  test('takes the first agent that is ready, however far it is down the list', async () => {
    addAgents('net');
    for (let index = 100; index < 230; index += 1) addPod('net', `n${index}`, index === 220);
    expect(await ask(['-n', 'net', '--help'])).toMatchObject({ code: 0 });
    expect(await ask(['-n', 'net', 'completion', 'bash'])).toMatchObject({ code: 0 });
    expect(server.execs.map(({ pod }) => pod)).toEqual(['meshprobe-n220']);
  });

  test('gives a terminal on both sides its size', async ({ skip }) => {
    skip(spawnSync('script', ['--version']).status !== 0, 'no script of util-linux here');
    addAgents('net', 'node1');
    const command = `stty rows 33 cols 77; ${process.execPath} ${plugin} --node node1 status --help`;
    const { code, stdout } = await run('script', ['-qec', command, '/dev/null'], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: meshprobe status')]);
    const [exec] = server.execs;
    expect(exec?.isTerminal).toBe(true);
    expect(exec?.sizes[0]).toEqual({ Width: 77, Height: 33 });
  });

  test('tells the CLI of NO_COLOR', async () => {
    addAgents('net', 'node1');
    env = { ...env, NO_COLOR: '1' };
    expect(await ask(['completion', 'bash'])).toMatchObject({ code: 0 });
    const command = ['env', 'NO_COLOR=1', 'meshprobe', 'completion', 'bash'];
    expect(server.execs[0]?.command).toEqual(command);
  });

  test.each([
    [
      'no agent in any namespace',
      (): void => undefined,
      [],
      'expected agents in some namespace, got none in any',
    ],
    [
      'agents in two namespaces',
      (): void => {
        addAgents('one', 'n1');
        addAgents('two', 'n1');
      },
      [],
      'expected agents in one namespace, got one, two: say with -n which',
    ],
    [
      'no agent in the namespace',
      (): void => void api.pods('one'),
      ['-n', 'one'],
      'expected a ready agent in namespace one, got no agent',
    ],
    [
      'no agent on the node',
      (): void => addAgents('one', 'n1'),
      ['--node', 'n2'],
      'expected a ready agent on node n2 in namespace one, got no agent',
    ],
    [
      'an agent on the node that is not ready',
      (): void => {
        addAgents('one', 'n1');
        addPod('one', 'n2', false);
      },
      ['--node', 'n2'],
      'expected a ready agent on node n2 in namespace one, got 1 that is not',
    ],
    [
      'no right to list all namespaces',
      (): void => api.fail({ kind: 'status', status: 403 }),
      [],
      'this user may not list daemonsets in all namespaces: say with -n where the agents are',
    ],
    [
      'no right to list pods',
      (): void => api.fail({ kind: 'status', status: 403 }),
      ['-n', 'one'],
      'this user may not list pods in namespace one',
    ],
  ] as const)('says in one line: %s', async (_, prepare, flags, words) => {
    prepare();
    expect(await ask([...flags, 'status'])).toEqual(refused(3, `kubectl-meshprobe: ${words}\n`));
    expect(server.execs).toEqual([]);
  });

  test('ends with 3 where this user may not run commands in pods', async () => {
    addAgents('net', 'node1');
    server.allowsExec = false;
    const { code, stderr } = await ask(['status']);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^.*[Ff]orbidden.*\n$/)]);
  });

  test('ends with 3 where there is no API server', async () => {
    server.stop();
    const { code, stderr } = await ask(['status']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^kubectl-meshprobe: kubectl: .*\n$/),
    ]);
  });
});

describe('the plug-in alone', () => {
  const inFolder = (args: readonly string[]) =>
    run(process.execPath, [plugin, ...args], { PATH: folder });

  test('says that there is no kubectl', async () => {
    expect(await inFolder(['status'])).toEqual(
      refused(3, 'kubectl-meshprobe: expected kubectl in PATH, got none\n'),
    );
  });

  test('says how it is used, and asks no one', async () => {
    const help = await inFolder(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: kubectl meshprobe/);
    expect(await inFolder([])).toEqual(refused(2, help.stdout));
  });

  test.each(['--version', '-V'])(
    'has a version, which it knows without a cluster: %s',
    async (flag) => {
      const version = spawnSync(process.execPath, [cli, '--version'], { encoding: 'utf8' });
      expect(await inFolder([flag])).toEqual(printed(0, version.stdout));
      expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\S* \(commit \S+, Node\.js v[\d.]+\)\n$/);
    },
  );

  test.each([
    [['--node', 'a,b=c', 'status'], '--node: expected the name of a node, got "a,b=c"'],
    [['-n', '../x', 'status'], '--namespace: expected a namespace, got "../x"'],
    [['-n', '\u001b[31m', 'status'], '--namespace: expected a namespace, got "\\u001b[31m"'],
    [['--node'], '--node: expected a value, got nothing'],
    [['--context='], '--context: expected a value, got nothing'],
    [
      ['page', '--port', '0'],
      'page: expected --port with a number from 1 to 65535, got "--port 0"',
    ],
    [['page', 'x'], 'page: expected --port with a number from 1 to 65535, got "x"'],
  ])('refuses %j', async (args, words) => {
    expect(await inFolder(args)).toEqual(refused(2, `kubectl-meshprobe: ${words}\n`));
  });

  /** Stands for kubectl where the real one needs a kubelet. */
  function writeKubectl(script: string): void {
    const path = join(folder, 'kubectl');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
  const pods = JSON.stringify({
    metadata: {},
    items: [
      {
        metadata: { name: 'p1', namespace: 'net' },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      },
    ],
  });
  const listing = `case "$*" in *get*) echo '${pods}'; exit;; esac`;

  test('prints the address of the page as soon as kubectl forwards to it', async () => {
    writeKubectl(`${listing}
echo "$*" >&2
echo 'Forwarding from 127.0.0.1:40123 -> 4242'`);
    expect(await inFolder(['--context', 'c', 'page'])).toEqual({
      code: 0,
      stdout: 'http://localhost:40123/\n',
      stderr:
        '--context=c port-forward --namespace=net --address=127.0.0.1 pod/p1 :api\nThe page of p1 in namespace net. Ctrl-C ends it.\n',
    });
  });

  test('ends kubectl when it is ended itself', async () => {
    writeKubectl(`${listing}
echo "$$" >&2
echo 'Forwarding from 127.0.0.1:40123 -> 4242'
exec cat "${join(folder, 'fifo')}"`);
    expect(spawnSync('mkfifo', [join(folder, 'fifo')]).status).toBe(0);
    const child = spawn(process.execPath, [plugin, 'page'], {
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
    const closed = once(child, 'close');
    const [told] = (await once(child.stderr, 'data')) as [Buffer];
    await once(child.stdout, 'data');
    const pid = Number.parseInt(told.toString(), 10);
    expect(process.kill(pid, 0)).toBe(true);
    child.kill('SIGTERM');
    expect(await closed).toEqual([130, null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('ends with 3 where the port is taken', async () => {
    writeKubectl(`${listing}
echo 'error: unable to listen on port 4242' >&2
exit 1`);
    expect(await inFolder(['page', '--port=4242'])).toEqual(
      refused(3, 'error: unable to listen on port 4242\n'),
    );
  });

  test('escapes what the API server calls things, and takes no nonsense for a list', async () => {
    const hostile = JSON.stringify({
      items: [{ metadata: { namespace: 'a\u001b[2J' } }, { metadata: { namespace: 'b' } }],
    });
    writeKubectl(`printf '%s' '${hostile}'`);
    const { stderr } = await inFolder(['status']);
    expect(stderr).toContain('got a\\x1b[2J, b: say with -n which');
    writeKubectl('echo nonsense');
    expect(await inFolder(['status'])).toMatchObject({
      code: 3,
      stderr: 'kubectl-meshprobe: kubectl get: expected a list as JSON, got something else\n',
    });
  });
});
