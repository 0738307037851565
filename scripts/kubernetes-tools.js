import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './sources.js';

/** The version of Kubernetes that the tests run. */
export const kubernetesVersion = '1.34.4';
export const corednsVersion = '1.12.4';

/**
 * Where the programs are. Not in node_modules, which `npm ci` empties: they take half an hour to build and
 * depend on nothing of this repository but their versions.
 */
export const kubernetesFolder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'meshprobe',
  'kubernetes',
  `v${kubernetesVersion}`,
);

const program = 'kubernetes';
const names = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
];

/**
 * Why Kubernetes' own programs are not here; undefined if they are.
 * @returns {string | undefined}
 */
export function whyNoKubernetes() {
  const missing = [...names, 'coredns'].find((name) => !existsSync(join(kubernetesFolder, name)));
  return missing && `no ${missing} here: \`npm run tools -- kubernetes\` builds it`;
}

/**
 * Builds Kubernetes' own programs with etcd, as one program, and CoreDNS. `go install` does not build
 * Kubernetes, whose module has replacements, so it is built from a module of its own.
 * @returns {string | undefined} why they are not there; undefined if they are
 */
export function buildKubernetesTools() {
  mkdirSync(kubernetesFolder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'meshprobe-kubernetes-'));
  try {
    if (!existsSync(join(kubernetesFolder, program))) buildKubernetes(work);
    for (const name of names) {
      rmSync(join(kubernetesFolder, name), { force: true });
      symlinkSync(program, join(kubernetesFolder, name));
    }
    if (!existsSync(join(kubernetesFolder, 'coredns'))) buildCoreDns(work);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} work where it may write */
function buildKubernetes(work) {
  const module = go(work, ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`]);
  const { GoMod: path } = /** @type {{ GoMod: string }} */ (JSON.parse(module));
  const [major, minor] = kubernetesVersion.split('.');
  const about = 'k8s.io/component-base/version.git';
  const version = `-X ${about}Version=v${kubernetesVersion} -X ${about}Major=${major} -X ${about}Minor=${minor}`;
  build(join(work, program), program, moduleText(readFileSync(path, 'utf8')), version);
}

/**
 * Without C it needs no library, so its image has nothing else.
 * @param {string} work where it may write
 */
function buildCoreDns(work) {
  const requirement = `require github.com/coredns/coredns v${corednsVersion}`;
  const module = `module meshprobe/coredns\ngo 1.24.0\n${requirement}\n`;
  build(join(work, 'coredns'), 'coredns', module, '', { CGO_ENABLED: '0' });
}

/**
 * Builds the program of this name from its main.go in scripts/.
 * @param {string} work a folder that is made
 * @param {string} name
 * @param {string} module the text of its go.mod
 * @param {string} linkerFlags
 * @param {Record<string, string>} [env]
 */
function build(work, name, module, linkerFlags, env) {
  mkdirSync(work);
  writeFileSync(join(work, 'go.mod'), module);
  copyFileSync(join(root, 'scripts', name, 'main.go'), join(work, 'main.go'));
  go(work, ['mod', 'tidy'], env);
  go(work, ['build', '-ldflags', `-s -w ${linkerFlags}`, '-o', name, '.'], env);
  copyFileSync(join(work, name), join(kubernetesFolder, name));
}

/**
 * A module that has Kubernetes' own parts by their published versions.
 * @param {string} kubernetes the go.mod of Kubernetes
 */
export function moduleText(kubernetes) {
  const parts = [...kubernetes.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map(([, part]) => part);
  const partVersion = `v0${kubernetesVersion.slice(1)}`;
  return [
    'module meshprobe/kubernetes',
    'go 1.24.0',
    `require k8s.io/kubernetes v${kubernetesVersion}`,
    ...parts.map((part) => `replace ${part} => ${part} ${partVersion}`),
    '',
  ].join('\n');
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 */
function go(cwd, args, env) {
  const { status, error, stdout, stderr } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...process.env, GOFLAGS: '-mod=mod', ...env },
  });
  if (error) throw new Error('there is no go here');
  if (status === 0) return stdout;
  throw new Error(`go ${args.slice(0, 2).join(' ')}: exit code ${status}: ${stderr.slice(-300)}`);
}
