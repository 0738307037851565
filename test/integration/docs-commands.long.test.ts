import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readArguments } from '../../cli/kubectl/arguments.js';
import { readCheckOptions } from '../../cli/kubectl/check/options.js';
import { readOptions as readBenchOptions } from '../bench/options.js';
import { useFolder } from '../resources/folder.js';
import { startCommand, type Ended } from '../resources/program.js';
import { readOptions as readSoakOptions } from '../soak/options.js';
import { runTool, whyNoTool } from './deploy/lib/tools.js';
import { AgentBench } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { commandsIn, documentedCommands } from './lib/markdown-commands.js';

// Every command of README.md and docs/*.md is tried: run against two real agents, or shortened to what
// can be done without a cluster. What cannot be tried here is in `untried`, with the reason.

const root = join(import.meta.dirname, '../..');
const bench = new AgentBench();
const folder = useFolder();
const bin = join(folder, 'bin');
const environment: Record<string, string> = {
  PATH: [bin, process.env['PATH']].join(delimiter),
  HOME: folder,
  KUBECONFIG: '/dev/null',
  MESHPROBE_SOCK: bench.path('node1.sock'),
};

const ownServices = 'changes the services of this host; deploy/systemd.test.ts verifies the units';
const ownPackages =
  'changes the packages of this host; package.long.test.ts installs what is packed';
const noDocker = 'needs docker and a registry; image.long.test.ts makes the image';

/** What is not tried here, and why. */
const untried: Readonly<Record<string, string>> = {
  'docker build -t registry.example/meshprobe:0.1.0 -f deploy/Dockerfile .': noDocker,
  'docker push registry.example/meshprobe:0.1.0': noDocker,
  'npm start': 'mesh.test.ts starts it',
  'npm test': 'it would run this test',
  'npm install --global meshprobe': ownPackages,
  'npm uninstall --global meshprobe': ownPackages,
  'cd "$(npm root --global)/meshprobe/deploy/systemd"': ownPackages,
  'systemctl daemon-reload': ownServices,
  'systemctl enable --now meshprobe-agent': ownServices,
  'systemctl enable --now meshprobe-endpoint': ownServices,
  'systemctl disable --now meshprobe-agent': ownServices,
  'systemd-sysusers meshprobe.conf': 'makes a group on this host',
  'rm -rf /etc/systemd/system/meshprobe-{agent,endpoint}.service{,.d} /etc/sysusers.d/meshprobe.conf /etc/meshprobe /var/lib/{,private/}meshprobe':
    'removes files of this host',
  'groupdel meshprobe': 'removes a group of this host',
  'meshprobe-agent --config /etc/meshprobe/agent.yaml --check-config':
    'deploy/systemd.test.ts runs it on the files of the page',
  'setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all,+net_raw --ambient-caps=-all,+net_raw --bounding-set=-all,+net_raw meshprobe-agent --config /etc/meshprobe/agent.yaml':
    'deploy/systemd.test.ts starts an agent by it',
  'meshprobe-agent --node-source kubernetes':
    'needs a service account of a pod; kubernetes.test.ts has a double',
  'meshprobe-agent --node-source kubernetes --kubeconfig ~/.kube/config --cluster west=west.kubeconfig':
    'needs two clusters; kubernetes.test.ts has doubles',
  'calicoctl apply --namespace=meshprobe -f deploy/kubernetes/components/calico/echo.yaml':
    'needs calicoctl and a cluster; deploy/manifests.test.ts holds the file against its schema',
};

/** Runs a line by a shell in the folder of the test, for half a minute at most. */
function shell(line: string, cwd = folder): Promise<Ended> {
  return startCommand('timeout', ['30', 'sh', '-c', line], { cwd, env: environment }).ended;
}

beforeAll(async () => {
  mkdirSync(bin);
  for (const [name, script] of [
    ['meshprobe', 'cli/main.js'],
    ['meshprobe-agent', 'agent/main.js'],
  ] as const) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist', script)}' "$@"\n`,
    );
    chmodSync(join(bin, name), 0o755);
  }
  const port = String(await freePort());
  const nodes = [1, 2].map((number) => ({ name: `node${number}`, host: `127.0.5.${number}` }));
  const nodesFile = bench.file('nodes.json', JSON.stringify({ nodes }));
  const keyFile = bench.file('mesh-key', 'a mesh key of some bytes');
  const health = `127.0.0.1:${await freePort()}`;
  environment['MESHPROBE_HEALTH_LISTEN'] = health;
  for (const { name, host } of nodes) {
    const flags = {
      'node-name': name,
      'nodes-file': nodesFile,
      'socket-path': bench.path(`${name}.sock`),
      'listen-address': host,
      'probe-port': port,
      'mesh-key-file': keyFile,
      'http-interval': '1s',
      'icmp-interval': '1s',
    };
    bench.start(
      Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
      name === 'node1' ? { MESHPROBE_HEALTH_LISTEN: health } : {},
    );
  }
  await vi.waitFor(async () => expectWell(await shell('meshprobe ping')), { timeout: 30_000 });
  expectWell(await shell('meshprobe wait --for 1s --timeout 25s'));
  for (const file of ['before.json', 'after.json'])
    await shell(`meshprobe status -o json > ${file}`);
  writeFileSync(join(folder, 'token'), 'a-token-of-sixteen-bytes-or-more');
  await shell(
    'openssl req -x509 -newkey ed25519 -nodes -subj /CN=test -keyout key.pem -out ca.pem',
  );
}, 90_000);
afterAll(async () => {
  await bench.close();
});

function expectWell(ran: Ended): void {
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
}

/** Runs the CLI against a real agent. What never ends is ended by Ctrl-C, what takes long is shortened. */
async function runCli(line: string): Promise<void> {
  if (/ -H (tcp|https):/.test(line)) {
    // No agent is there: exit code 3. A flag that is none would be 2.
    const ran = await shell(line.replace(/(tcp|https):\/\/[\w.-]+(:\d+)?/, '$1://127.0.0.1:1'));
    expect(ran, ran.stderr).toMatchObject({ code: 3 });
  } else if (line.includes(' --follow')) {
    expect(await shell(`timeout --signal=INT 3 ${line}`)).toMatchObject({ code: 124, stderr: '' });
  } else {
    expectWell(await shell(line.replace('wait --for 30s', 'wait --for 1s')));
  }
}

/** What stands behind `npm run NAME --`. */
function argumentsOf(command: string): readonly string[] {
  return command.split(' ').slice(4);
}

interface Skip {
  readonly skip: (condition: boolean, note?: string) => void;
}

/** How commands are tried, by their beginning. The first that matches counts. */
const ways: readonly (readonly [
  RegExp,
  (command: string, context: Skip) => Promise<void> | void,
])[] = [
  [/^meshprobe /, runCli],
  [
    /^echo '.*' \| meshprobe mcp$/,
    async (command) => {
      const ran = await shell(command);
      expectWell(ran);
      expect(ran.stdout).toBe('{"result":{},"jsonrpc":"2.0","id":1}\n');
    },
  ],
  [/^meshprobe-agent check /, async (command) => expectWell(await shell(command))],
  [
    /^kubectl .* exec ds\/meshprobe -- meshprobe /,
    (command) => runCli(command.replace(/^.* -- /, '')),
  ],
  [
    /^kubectl meshprobe /,
    async (command) => {
      const [, words = '', redirect = ''] = /^kubectl meshprobe (.*?)( > .*)?$/.exec(command) ?? [];
      const { command: rest, isHelp } = readArguments(words.split(' '));
      expect(isHelp).toBe(false);
      // They need a real cluster: only their arguments are read.
      if (rest[0] === 'check') readCheckOptions(rest.slice(1), undefined);
      else if (rest.join(' ') !== 'page') await runCli(`meshprobe ${rest.join(' ')}${redirect}`);
    },
  ],
  [
    /^kubectl (apply|delete) -k /,
    (command, { skip }) => {
      const reason = whyNoTool('kubectl');
      skip(reason !== undefined, reason);
      const ran = runTool('kubectl', ['kustomize', command.split(' ')[3] ?? ''], root);
      expect(ran, ran.stderr).toMatchObject({ status: 0 });
      expect(ran.stdout).toMatch(/kind: (?:DaemonSet|Role)\b/);
    },
  ],
  [
    /^kubectl /,
    async (command, { skip }) => {
      const reason = whyNoTool('kubectl');
      skip(reason !== undefined, reason);
      // Without a cluster: kubectl makes the object, or takes all flags and finds no server.
      if (command.includes(' create ')) {
        expectWell(await shell(`${command} --dry-run=client`));
        return;
      }
      const { code, stderr } = await shell(`${command} --server=http://127.0.0.1:1`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/127\.0\.0\.1:1 was refused|connection refused/);
    },
  ],
  [
    /^helm install /,
    (command, { skip }) => {
      const reason = whyNoTool('helm');
      skip(reason !== undefined, reason);
      const ran = runTool('helm', ['template', ...command.split(/ +/).slice(2)], root);
      expect(ran, ran.stderr).toMatchObject({ status: 0 });
      expect(ran.stdout).toContain('kind: DaemonSet');
    },
  ],
  [
    /^(install -D |install -d |\(umask )/,
    async (command, { skip }) => {
      skip(command.includes(' -o ') && process.getuid?.() !== 0, 'only root gives files away');
      const here = command.replaceAll(/\/(etc|run)\//g, `${folder}/$1/`);
      mkdirSync(join(folder, 'etc/meshprobe'), { recursive: true });
      mkdirSync(join(folder, 'run'), { recursive: true });
      expectWell(await shell(here, join(root, 'deploy/systemd')));
      const [target = ''] = here.match(/\S+?(?=\)?$)/) ?? [];
      expect(existsSync(target), target).toBe(true);
    },
  ],
  // These take minutes, so only their arguments are read, by the programs' own parsers.
  [/^npm run bench( |$)/, (command) => void readBenchOptions(argumentsOf(command))],
  [/^npm run soak( |$)/, (command) => void readSoakOptions(argumentsOf(command))],
  [
    /^npm run sim( |$)/,
    async (command) => {
      const args = [join(root, 'scripts/sim.js'), ...argumentsOf(command), '--help'];
      expectWell(await startCommand(process.execPath, args).ended);
    },
  ],
];

const commands = documentedCommands(root);
const distinct = [...new Set(commands.map(({ command }) => command))];

test('commands are found in blocks for a shell, joined lines and comments included', () => {
  const text =
    '```sh\nhelm install \\\n  x   # why\n# all of it\n```\n  ```\n  npm start\n  ```\n```yaml\na: b\n```\n```\nGET /\n```\n';
  expect(commandsIn(text)).toEqual(['helm install x', 'npm start']);
  expect(new Set(commands.map(({ page }) => page)).size).toBeGreaterThan(5);
  expect(distinct.length).toBeGreaterThan(50);
});

test('every command is tried, or listed with a reason', () => {
  const isTried = (command: string) => ways.some(([form]) => form.test(command));
  expect(distinct.filter((command) => !(command in untried) && !isTried(command))).toEqual([]);
  expect(Object.keys(untried).filter((command) => !distinct.includes(command))).toEqual([]);
});

const tried = distinct.filter((one) => !(one in untried));
// Each of these bundles the simulations into the same file.
const isAlone = (command: string) => command.startsWith('npm run sim');

// Some measure for seconds, and all they share is two agents, so several run at once.
for (const command of [...tried].sort((a, b) => Number(isAlone(a)) - Number(isAlone(b)))) {
  const run = isAlone(command) ? test : test.concurrent;
  run(command, { timeout: 60_000 }, async (context) => {
    const [, tryIt] = ways.find(([form]) => form.test(command)) ?? [];
    expect(tryIt).toBeDefined();
    await tryIt?.(command, context);
  });
}
