import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const version = '1.33.3';
const etcdVersion = '3.5.21';
const etcd = 'go.etcd.io/etcd/server/v3';

/** The programs of a real API server, and the Go packages that they are. */
export const kubernetesTools = {
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  etcd,
};

/**
 * Builds a real API server and its store. `go install` does not build Kubernetes, whose module has
 * replacements, so they are built from a module of its own. On two cores it takes twelve minutes.
 * @param {string} folder where the programs go
 * @returns {string | undefined} why they are not there; undefined if they are
 */
export function buildKubernetesTools(folder) {
  const names = /** @type {(keyof typeof kubernetesTools)[]} */ (Object.keys(kubernetesTools));
  if (names.every((name) => existsSync(join(folder, name)))) return undefined;
  const work = mkdtempSync(join(tmpdir(), 'meshprobe-kubernetes-'));
  try {
    const module = go(work, ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`]);
    const { GoMod: path } = /** @type {{ GoMod: string }} */ (JSON.parse(module));
    writeFileSync(join(work, 'go.mod'), moduleText(readFileSync(path, 'utf8')));
    go(work, ['mod', 'tidy']);
    const [major, minor] = version.split('.');
    const about = 'k8s.io/component-base/version.git';
    const flags = `-s -w -X ${about}Version=v${version} -X ${about}Major=${major} -X ${about}Minor=${minor}`;
    for (const name of names) {
      go(work, ['build', '-ldflags', flags, '-o', name, kubernetesTools[name]]);
      copyFileSync(join(work, name), join(folder, name));
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * A module that has both programs as tools, with Kubernetes' own parts by their published versions.
 * @param {string} kubernetes the go.mod of Kubernetes
 */
function moduleText(kubernetes) {
  const parts = [...kubernetes.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map(([, part]) => part);
  const partVersion = `v0${version.slice(1)}`;
  return [
    'module meshprobe/tools',
    'go 1.24.0',
    ...Object.values(kubernetesTools).map((name) => `tool ${name}`),
    `require k8s.io/kubernetes v${version}`,
    `require ${etcd} v${etcdVersion}`,
    ...parts.map((part) => `replace ${part} => ${part} ${partVersion}`),
    '',
  ].join('\n');
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function go(cwd, args) {
  const { status, error, stdout, stderr } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...process.env, GOFLAGS: '-mod=mod' },
  });
  if (error) throw new Error('there is no go here');
  if (status === 0) return stdout;
  throw new Error(`go ${args.slice(0, 2).join(' ')}: exit code ${status}: ${stderr.slice(-300)}`);
}
