import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readStrace } from '../../bench/strace.js';
import { newFolder } from '../../resources/folder.js';
import { healthzOf, statusOf, useAgentBench } from '../lib/agent-process.js';
import { freePort } from '../lib/free-port.js';
import {
  allowedSystemCalls,
  systemdAnalyze,
  unitsFolder,
  valuesOf,
  whyNoSystemd,
} from './lib/systemd.js';

const root = join(import.meta.dirname, '../../..');
const agentUnit = 'meshprobe-agent.service';
const endpointUnit = 'meshprobe-endpoint.service';
const page = readFileSync(join(root, 'docs/hosts.md'), 'utf8');
/** The blocks of the page whose first line is the path of a file. */
const files = new Map(
  [...page.matchAll(/^```\w+\n# (\/etc\/\S+)\n([^`]+)^```$/gm)].map(([, path = '', text = '']) => [
    path,
    text,
  ]),
);

describe('what systemd says of the units', () => {
  const reason = whyNoSystemd();
  let folder: string;
  beforeEach(({ skip }) => {
    skip(reason !== undefined, reason);
    folder = newFolder();
  });

  test.each([agentUnit, endpointUnit])('%s and its drop-in of the page are valid', (unit) => {
    // Nothing is installed here, so the program is another one that exists.
    const text = readFileSync(join(unitsFolder, unit), 'utf8');
    const path = join(folder, unit);
    writeFileSync(path, text.replace('ExecStart=meshprobe-agent', 'ExecStart=/bin/true'));
    const dropIns = [...files].filter(([file]) => file.includes(`/${unit}.d/`));
    expect(dropIns).toHaveLength(1);
    for (const [file, dropIn] of dropIns) {
      const copy = join(folder, file.replace('/etc/systemd/system/', ''));
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, dropIn);
    }
    expect(systemdAnalyze('verify', '--man=no', path)).toEqual({ status: 0, output: '' });
    writeFileSync(path, `${text}NoSuchKey=1\n`);
    expect(systemdAnalyze('verify', '--man=no', path).output).toContain('NoSuchKey');
  });

  test.each([
    [agentUnit, 20],
    [endpointUnit, 15],
  ])('%s exposes little (threshold %i of 100)', (unit, threshold) => {
    const { status, output } = systemdAnalyze(
      ...['security', '--offline=true', `--threshold=${threshold}`, join(unitsFolder, unit)],
    );
    expect(output).toContain('Overall exposure level');
    expect(status, output).toBe(0);
  });
});

test.each([agentUnit, endpointUnit])('%s may read the addresses of its host', (unit) => {
  const families = valuesOf(unit, 'RestrictAddressFamilies').join(' ').split(' ');
  expect(families).toEqual(['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK']);
});

test.each([agentUnit, endpointUnit])('%s is started again however often it failed', (unit) => {
  expect(valuesOf(unit, 'Restart')).toEqual(['always']);
  expect(valuesOf(unit, 'StartLimitIntervalSec')).toEqual(['0']);
});

test('the agent keeps the last node list in a folder that it alone may enter', () => {
  expect(valuesOf(agentUnit, 'StateDirectory')).toEqual(['meshprobe']);
  expect(valuesOf(agentUnit, 'StateDirectoryMode')).toEqual(['0700']);
  // %S is /var/lib, in which systemd makes that folder (systemd.unit(5)).
  expect(valuesOf(agentUnit, 'Environment')).toContain('MESHPROBE_STATE_FOLDER=%S/meshprobe');
});

test('the page has the files that the agent reads, and says what its check says', () => {
  expect([...files.keys()]).toContain('/etc/meshprobe/agent.yaml');
  const [config = ''] = valuesOf(agentUnit, 'ExecStart');
  expect(config).toBe('meshprobe-agent --config /etc/meshprobe/agent.yaml');
  const folder = newFolder();
  const here = (text: string) => text.replaceAll('/etc/meshprobe', folder);
  for (const name of ['agent.yaml', 'nodes.yaml']) {
    writeFileSync(join(folder, name), here(files.get(`/etc/meshprobe/${name}`) ?? ''));
  }
  const [, said = ''] = /It says `([^`]+)`/.exec(page) ?? [];
  const flags = ['--node-name', 'node1', '--check-config'];
  const args = ['dist/agent/main.js', '--config', join(folder, 'agent.yaml'), ...flags];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: `${here(said)}\n`, stderr: '' });
});

test('every file that the page installs from the package is there', () => {
  const installed = [...page.matchAll(/^install -D -m 644 (\S+) /gm)].map(([, name = '']) => name);
  expect(installed).toContain(agentUnit);
  for (const name of installed) expect(statSync(join(unitsFolder, name)).isFile()).toBe(true);
});

/** The user and group `nobody` of every Linux, and a group for the socket. */
const nobody = 65_534;
const socketGroup = 2000;

/** Node tries these, and goes on without them where they fail, as they do here. */
const refused = ['io_uring_setup', 'pkey_alloc'];

/** What the unit says of user and rights, by setpriv. */
const asUnit = [
  'setpriv',
  ...[`--reuid=${nobody}`, `--regid=${nobody}`, `--groups=${socketGroup}`, '--no-new-privs'],
  ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+net_raw`),
];

/** As `ProtectSystem=strict` and `ProtectProc=invisible` do, but for the folder of the test. */
const asStrict = `
mount --bind "$1" "$1" && mount -o remount,bind,ro / && mount -t proc -o hidepid=invisible proc /proc || exit 99
shift; exec "$@"`;

function whyNoStrict(): string | undefined {
  if (process.getuid?.() !== 0) return 'not root: the unit of the agent cannot be tried';
  const command = [...strictly(tmpdir()), ...asUnit, 'true'];
  const { status } = spawnSync(command[0] ?? '', command.slice(1));
  return status === 0 ? undefined : 'no mount namespaces or setpriv here';
}

function strictly(folder: string): string[] {
  return ['unshare', '--mount', '--propagation=private', 'sh', '-c', asStrict, 'sh', folder];
}

describe('an agent with the user, rights and files that its unit gives it', () => {
  const reason = whyNoStrict();
  const bench = useAgentBench();
  let runtime: string;
  beforeEach(({ skip }) => {
    skip(reason !== undefined, reason);
    runtime = bench.path('run');
    mkdirSync(runtime);
    for (const path of [bench.folder, runtime]) chownSync(path, nobody, nobody);
  });

  /** Starts the agent with a line of a command, whose own words say where its configuration is. */
  function start(command: readonly string[], line: string, settings: readonly string[] = []) {
    const socketPath = join(runtime, 'health.sock');
    const config = bench.file(
      'agent.yaml',
      [
        'node-name: n1',
        `nodes-file: ${bench.file('nodes.yaml', 'nodes: [{ name: n1, host: 127.0.13.1 }]')}`,
        `socket-path: ${socketPath}`,
        'listen-address: 127.0.13.1',
        `probe-port: ${bench.port}`,
        ...settings,
      ].join('\n'),
    );
    expect(line).toContain('meshprobe-agent --config /etc/meshprobe/agent.yaml');
    const [before = '', after = ''] = line.split('meshprobe-agent ');
    const args = after.replace('/etc/meshprobe/agent.yaml', config).split(' ');
    const words = before.split(' ').filter((word) => word !== '');
    const agent = bench.startUnder([...strictly(runtime), ...command, ...words], args);
    return { agent, socketPath };
  }

  async function untilReachable(socketPath: string): Promise<void> {
    await vi.waitFor(
      async () => {
        const { nodes } = await statusOf(socketPath);
        const path = nodes[0]?.host?.['primary-address'];
        expect([path?.icmp?.state, path?.http?.state]).toEqual(['reachable', 'reachable']);
      },
      { timeout: 25_000, interval: 50 },
    );
  }

  const [execStart = ''] = valuesOf(agentUnit, 'ExecStart');
  const group = `socket-group: ${socketGroup}`;

  test('probes by ICMP and HTTP, knows of no problem, and gives the socket to its group', async () => {
    const { agent, socketPath } = start(asUnit, execStart, [group]);
    await untilReachable(socketPath);
    expect((await healthzOf(socketPath)).problems).toEqual([]);
    const { uid, gid, mode } = statSync(socketPath);
    expect([uid, gid, mode & 0o777]).toEqual([nobody, socketGroup, 0o660]);
    agent.child.kill('SIGTERM');
    expect(await agent.exited, agent.errors).toBe(0);
  });

  test('watches all of the host that an agent without limits watches', async () => {
    const { socketPath } = start(asUnit, execStart, [group]);
    bench.start(bench.loneAgent(await freePort()));
    /** The files that show an agent nothing, once it has read them: without a peer the clock of the host is never watched. */
    const unseen = (path: string) =>
      vi.waitFor(
        async () => {
          const { 'missing-signs': missing = [] } = await healthzOf(path);
          expect(missing).not.toEqual([]);
          return missing.flatMap(({ files, because }) => (because === undefined ? files : []));
        },
        { timeout: 25_000, interval: 50 },
      );
    const [all, limited] = await Promise.all([bench.path('n1.sock'), socketPath].map(unseen));
    expect(limited).toEqual(all);
    expect(valuesOf(agentUnit, 'ProcSubset')).toEqual([]);
  });

  test('does the same by the line of the page for hosts without systemd', async () => {
    const [line = ''] = /^setpriv .*$/m.exec(page) ?? [];
    const { agent, socketPath } = start([], line);
    await untilReachable(socketPath);
    expect((await healthzOf(socketPath)).problems).toEqual([]);
    expect(statSync(socketPath).uid).toBe(nobody);
    agent.child.kill('SIGTERM');
    expect(await agent.exited, agent.errors).toBe(0);
  });

  test('says where the default folder of the socket is on a read-only file system', async () => {
    const readOnly = 'mount -t tmpfs -o ro none /run && exec "$@"';
    const agent = bench.startUnder(
      ['unshare', '--mount', '--propagation=private', 'sh', '-c', readOnly, 'sh'],
      ['--nodes-file', bench.file('nodes.yaml', 'nodes: [{ name: n1, host: 127.0.13.1 }]')],
    );
    expect(await agent.exited).toBe(1);
    expect(agent.errors).toMatch(
      /^meshprobe-agent: socket-path: cannot create \/var\/run\/meshprobe\/health.sock: EROFS: read-only file system.*\n$/,
    );
  });

  test('makes no system call that its unit does not allow', async ({ skip }) => {
    const reason = whyNoSystemd() ?? whyNoStrace();
    skip(reason !== undefined, reason);
    const { agent, socketPath } = start(
      [...asUnit, ...counting(join(runtime, 'counts'))],
      execStart,
      [group],
    );
    await untilReachable(socketPath);
    agent.child.kill('SIGTERM');
    await agent.exited;
    const made = await callsIn(join(runtime, 'counts'));
    expect(made).toContain('chown');
    expect(forbiddenOf(made, agentUnit)).toEqual([]);
  });

  test('its endpoint answers without any right, by allowed system calls', async ({ skip }) => {
    const reason = whyNoSystemd() ?? whyNoStrace();
    skip(reason !== undefined, reason);
    const [line = ''] = valuesOf(endpointUnit, 'ExecStart');
    expect(line).toBe('meshprobe-agent responder');
    const endpoint = bench.startUnder(
      [...strictly(runtime), ...asUnit.map((word) => word.replace(',+net_raw', ''))].concat(
        counting(join(runtime, 'counts')),
      ),
      [...line.split(' ').slice(1), '--listen-address=127.0.13.2', `--probe-port=${bench.port}`],
    );
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.13.2:${bench.port}/hello`)).status).toBe(200),
      { timeout: 40_000, interval: 100 },
    );
    endpoint.child.kill('SIGTERM');
    await endpoint.exited;
    expect(forbiddenOf(await callsIn(join(runtime, 'counts')), endpointUnit)).toEqual([]);
  });
});

function whyNoStrace(): string | undefined {
  return spawnSync('strace', ['--version']).status === 0 ? undefined : 'no strace here';
}

/** Counts the system calls of a program. strace is detached, so that the program gets the signals. */
function counting(file: string): string[] {
  const inject = `inject=${refused.join(',')}:error=EPERM`;
  return ['strace', '-D', '-f', '-c', '-o', file, '-e', inject];
}

/** The names of the system calls, once strace has written them after the end of the program. */
function callsIn(file: string): Promise<string[]> {
  return vi.waitFor(
    () => {
      const { calls, total } = readStrace(readFileSync(file, 'utf8'));
      expect(total).toBeGreaterThan(500);
      return calls.map(({ name }) => name);
    },
    { timeout: 40_000, interval: 50 },
  );
}

function forbiddenOf(names: readonly string[], unit: string): string[] {
  const allowed = allowedSystemCalls(unit);
  expect(allowed.size).toBeGreaterThan(100);
  return names.filter((name) => !allowed.has(name) && !refused.includes(name));
}
