import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { containerOf, startOf } from '../../unit/deploy/lib/container.js';
import { render, whyNoKustomize } from './lib/kustomize.js';
import { podFields } from '../../unit/deploy/lib/deployment.js';
import { at, find, type Manifest } from '../../unit/deploy/lib/manifest.js';
import { ask } from '../lib/agent-process.js';
import { freePort } from '../lib/free-port.js';
import { readDockerfile } from './lib/dockerfile.js';
import { Image, whyNot } from './lib/image.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const stages = readDockerfile(read('deploy/Dockerfile'));
const runtime = stages.at(-1);

interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
}

interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
}

describe('the image', () => {
  const reason = whyNot();
  beforeEach(({ skip }) => skip(reason !== undefined, `no images are built here: ${reason ?? ''}`));

  let image: Image;
  let host: string;
  beforeAll(() => {
    image = new Image();
    host = mkdtempSync(join(tmpdir(), 'meshprobe-host-'));
    image.build(stages, root, read('.dockerignore'));
  }, 300_000);
  afterAll(() => {
    if (reason !== undefined) return;
    image.remove();
    rmSync(host, { recursive: true, force: true });
  }, 300_000);

  /** Starts the image as `docker run IMAGE ARGUMENTS` does. */
  function docker(...args: string[]): Started {
    const [uid = ''] = runtime?.user?.split(':') ?? [];
    const command = [
      ...(runtime?.entrypoint ?? []),
      ...(args.length > 0 ? args : (runtime?.cmd ?? [])),
    ];
    const child = image.start({
      command,
      env: runtime?.env ?? {},
      user: Number(uid),
      capabilities: [],
      readOnly: true,
      ownNetwork: false,
    });
    return collect(child);
  }

  /**
   * Starts a container of the DaemonSet as the kubelet does, but without seccomp and resource
   * limits.
   */
  function kubelet(name: string, mounts: Record<string, string> = {}, more = {}): Started {
    const manifests = render(join(root, 'deploy', 'kubernetes'));
    const daemonSet = find(manifests, 'DaemonSet', name);
    const { command, env } = startOf(daemonSet, manifests, podFields);
    const container = containerOf(daemonSet);
    const user =
      at(container, 'securityContext.runAsUser') ??
      at(daemonSet, 'spec.template.spec.securityContext.runAsUser');
    const child = image.start({
      command,
      env: { ...runtime?.env, ...env, ...more },
      user: Number(user),
      capabilities: (at(container, 'securityContext.capabilities.add') ?? []) as string[],
      readOnly: at(container, 'securityContext.readOnlyRootFilesystem') === true,
      ownNetwork: true,
      mounts: { ...configMaps(daemonSet, manifests), ...mounts },
    });
    return collect(child);
  }

  /** Folders with the ConfigMaps of the manifests that a DaemonSet mounts, by their place in the container. */
  function configMaps(
    daemonSet: Manifest,
    manifests: readonly Manifest[],
  ): Readonly<Record<string, string>> {
    const volumes = (at(daemonSet, 'spec.template.spec.volumes') ?? []) as Volume[];
    const mounts = (containerOf(daemonSet)['volumeMounts'] ?? []) as VolumeMount[];
    const folders: Record<string, string> = {};
    for (const { name, mountPath } of mounts) {
      const source = volumes.find((volume) => volume.name === name)?.configMap;
      // Every namespace of a cluster has the others.
      const isOurs = manifests.some(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === source?.name,
      );
      if (!source || !isOurs) continue;
      const folder = mkdtempSync(join(host, 'config-map-'));
      chmodSync(folder, 0o755);
      const data = find(manifests, 'ConfigMap', source.name)['data'] as Record<string, string>;
      for (const [file, text] of Object.entries(data)) writeFileSync(join(folder, file), text);
      folders[mountPath] = folder;
    }
    return folders;
  }

  test('holds the built programs, koffi, and no other package', () => {
    const folder = image.path('/usr/lib/meshprobe');
    expect(readdirSync(folder).toSorted()).toEqual(
      ['LICENSE', 'dist', 'entrypoint.sh', 'node_modules', 'package.json'].toSorted(),
    );
    expect(readdirSync(join(folder, 'node_modules')).toSorted()).toEqual(['@koromix', 'koffi']);
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map') || file.startsWith('mesh'))).toEqual([]);
  });

  test.each([
    [['--version'], version],
    [['meshprobe-agent', '--version'], version],
    [['responder', '--help'], 'Usage: meshprobe-agent responder'],
    [['meshprobe', '--version'], version],
    [['meshprobe', 'status', '--help'], 'Usage: meshprobe status'],
  ])('runs what %j asks for', async (args, words) => {
    const { child, text, exited } = docker(...args);
    expect([await exited, text()]).toEqual([0, expect.stringContaining(words)]);
    expect(child.exitCode).toBe(0);
  });

  test('starts the agent by default, which says what it lacks and passes its exit code on', async () => {
    const { exited, text } = docker();
    expect([await exited, text()]).toEqual([2, expect.stringContaining('meshprobe-agent: ')]);
  });

  test('is the responder as the user it is made for', async () => {
    const port = await freePort();
    const { child, exited } = docker(
      'responder',
      '--listen-address',
      '127.0.0.1',
      '--probe-port',
      String(port),
    );
    await eventually(async () =>
      expect((await fetch(`http://127.0.0.1:${port}/hello`)).status).toBe(200),
    );
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('is the endpoint of the manifests, with their arguments and no rights', async ({ skip }) => {
    skip(whyNoKustomize() !== undefined, whyNoKustomize());
    const { child, exited, text } = kubelet('meshprobe-endpoint');
    await eventually(() => {
      expect(text()).toContain('responder is answering');
      expect(inside(child, ['--net'], asking('http://127.0.0.1:4240/hello'))).toBe('200 ');
    });
    expect(capabilitiesOf(child)).toBe(0n);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('is the agent of the manifests, which lives without its API server and says what it waits for', async ({
    skip,
  }) => {
    skip(whyNoKustomize() !== undefined, whyNoKustomize());
    const secrets = join(host, 'secrets');
    const sockets = join(host, 'meshprobe');
    for (const folder of [secrets, sockets]) mkdirSync(folder);
    writeFileSync(join(secrets, 'token'), 'a.b.c');
    writeFileSync(join(secrets, 'namespace'), 'meshprobe');
    writeFileSync(join(secrets, 'ca.crt'), rootCertificates[0] ?? '');
    const { child, exited, text } = kubelet(
      'meshprobe',
      { '/run/meshprobe': sockets, '/run/secrets/kubernetes.io/serviceaccount': secrets },
      { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' },
    );
    const socketPath = join(sockets, 'health.sock');
    await eventually(async () => {
      expect(child.exitCode, text()).toBe(null);
      expect((await ask(socketPath, '/v1beta/healthz')).status).toBe(200);
      expect(inside(child, ['--net'], asking('http://127.0.0.1:4241/liveness'))).toMatch(/^200 /);
      expect(inside(child, ['--net'], asking('http://127.0.0.1:4241/readiness'))).toMatch(/^503 /);
      expect(inside(child, ['--net'], asking('http://127.0.0.1:4240/hello'))).toBe('200 ');
      expect(inside(child, ['--net'], asking('http://127.0.0.1:4242/v1beta/status'))).toMatch(
        /^200 /,
      );
    });
    // NET_RAW is bit 13 of capabilities(7).
    expect(capabilitiesOf(child)).toBe(1n << 13n);
    expect(text()).toContain('"engine":"kernel"');
    // Enters the namespaces that `kubectl exec` enters.
    const exec = ['--mount', '--net', '--root', '--wd=/'];
    expect(inside(child, exec, ['meshprobe', 'ping'])).toBe('OK\n');
    expect(inside(child, exec, ['meshprobe', 'get'])).toContain('Daemon uptime:');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(existsSync(socketPath)).toBe(false);
  });
});

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly text: () => string;
}

function collect(child: ChildProcess): Started {
  let collected = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (collected += data.toString()));
  }
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, exited, text: () => collected };
}

/** Runs a command in the namespaces of a container and returns its output. */
function inside(
  child: ChildProcess,
  namespaces: readonly string[],
  command: readonly string[],
): string {
  const enter = ['--target', String(child.pid), ...namespaces, '--', ...command];
  return spawnSync('nsenter', enter, { encoding: 'utf8' }).stdout;
}

function asking(url: string): string[] {
  const script = `const a = await fetch(process.argv[1]); process.stdout.write(a.status + ' ' + await a.text())`;
  return [process.execPath, '--input-type=module', '-e', script, url];
}

function capabilitiesOf(child: ChildProcess): bigint {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  return BigInt(`0x${/CapEff:\s+(\w+)/.exec(status)?.[1] ?? ''}`);
}

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 40_000, interval: 200 });
