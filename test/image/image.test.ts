import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../integration/lib/free-port.js';
import { useFolder } from '../resources/folder.js';
import { ensureBaseImage } from './lib/base-image.js';
import { buildah, isThere, startContainer } from './lib/command.js';
import { version } from '../resources/package-version.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const versionLine = new RegExp(`^${version} \\(commit \\w+, Node\\.js v[\\d.]+\\)\\n$`);
const image = `localhost/meshprobe-test:${version}`;
const ownBase = process.env['NODE_IMAGE'];

const reason = whyNot();
beforeEach(({ skip }) => skip(reason !== undefined, `no image is built here: ${reason ?? ''}`));

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root';
  const wanted = ownBase === undefined ? ['buildah', 'debootstrap', 'npm'] : ['buildah'];
  const missing = wanted.filter((command) => !isThere(command));
  return missing.length === 0 ? undefined : `no ${missing.join(' and no ')} here`;
}

const host = useFolder();
let container: string;
let entrypoint: readonly string[];
const started: Started[] = [];

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly text: () => string;
}

beforeAll(() => {
  if (reason !== undefined) return;
  mkdirSync(join(host, 'meshprobe'));
  const base = `--build-arg=NODE_IMAGE=${ownBase ?? ensureBaseImage()}`;
  const file = `--file=${join(root, 'deploy', 'Dockerfile')}`;
  buildah('build', '--network=host', base, `--tag=${image}`, file, root);
  container = buildah('from', '--pull-never', image);
  const { OCIv1 } = JSON.parse(buildah('inspect', '--type=image', image)) as {
    OCIv1: { config: { Entrypoint: string[] } };
  };
  entrypoint = OCIv1.config.Entrypoint;
});

afterAll(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ exited }) => exited));
  if (reason !== undefined) return;
  buildah('rm', container);
  buildah('rmi', image);
});

/**
 * Starts the image's entrypoint with these arguments. It uses the host's network and sees one
 * folder of the host.
 */
function start(options: readonly string[], ...args: string[]): Started {
  const child = startContainer(
    '--network=host',
    `--volume=${host}:/host:ro`,
    `--volume=${join(host, 'meshprobe')}:/run/meshprobe`,
    ...options,
    container,
    '--',
    ...entrypoint,
    ...args,
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (text += data.toString()));
  }
  const exited = once(child, 'close').then(([code]) => code as number | null);
  started.push({ child, exited, text: () => text });
  return { child, exited, text: () => text };
}

/** The output of the image's CLI, which root runs without any capability. */
async function cli(...args: string[]) {
  const { exited, text } = start(['--user=0'], 'meshprobe', ...args);
  return { exitCode: await exited, text: text() };
}

test('the image says its version as agent and as CLI, as the user that it is made for', async () => {
  for (const program of [['--version'], ['meshprobe', '--version']]) {
    const { exited, text } = start([], ...program);
    expect([await exited, text()]).toEqual([0, expect.stringMatching(versionLine)]);
  }
});

test('agent, responder and CLI of the image reach each other, the agent with NET_RAW alone', async () => {
  const port = String(await freePort());
  const nodes = [{ name: 'node1', host: '127.0.0.1', endpoint: '127.0.0.2' }];
  writeFileSync(join(host, 'nodes.yaml'), JSON.stringify({ nodes }));
  const responder = start([], 'responder', '--listen-address=127.0.0.2', `--probe-port=${port}`);
  const agent = start(
    ['--user=0', '--cap-add=CAP_NET_RAW'],
    ...['--nodes-file=/host/nodes.yaml', '--node-name=node1', '--health-listen=off'],
    ...['--socket-path=/run/meshprobe/health.sock', '--listen-address=127.0.0.1'],
    `--probe-port=${port}`,
  );
  await vi.waitFor(
    async () => {
      expect([agent.child.exitCode, agent.text()]).toEqual([null, expect.stringContaining('{')]);
      const { exitCode, text } = await cli('status', '--succinct');
      expect([exitCode, text]).toEqual([0, expect.stringMatching(/^Cluster health: +1\/1 reach/)]);
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(agent.text()).toContain('"engine":"kernel"');
  expect(responder.text()).toContain('responder is answering');
  // NET_RAW is bit 13 of capabilities(7).
  expect(capabilitiesOf('--nodes-file=/host/nodes.yaml')).toEqual([1n << 13n]);
  expect(capabilitiesOf('--listen-address=127.0.0.2')).toEqual([0n]);
  const { text } = await cli('status', '-o', 'json');
  const [node] = (JSON.parse(text) as { nodes: Record<string, unknown>[] }).nodes;
  for (const plane of ['host', 'health-endpoint']) {
    expect(node?.[plane]).toMatchObject({
      'primary-address': {
        icmp: { state: 'reachable', latency: expect.any(Number) as number },
        http: { state: 'reachable', latency: expect.any(Number) as number },
      },
    });
  }
});

/** The effective capabilities of the Node processes that have this argument. */
function capabilitiesOf(argument: string): bigint[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (!program.endsWith('node') || !args.includes(argument)) return [];
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return [BigInt(`0x${/CapEff:\s+(\w+)/.exec(status)?.[1] ?? ''}`)];
      } catch {
        return [];
      }
    });
}
