import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildah, run } from './command.js';

const nodeVersion = '24';
const npmVersion = '11';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Builds an image with the parts of `node:24-slim` that are needed here: Debian, Node and npm. It
 * serves machines that reach Debian's packages and the npm registry, but no image registry. It is
 * built once and then kept.
 * @returns the name of the image
 */
export function ensureBaseImage(): string {
  const name = `localhost/meshprobe-test-node:${nodeVersion}-slim`;
  if (buildah('images', '--format={{.Name}}:{{.Tag}}').split('\n').includes(name)) return name;
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-base-'));
  try {
    const root = join(folder, 'root');
    run('debootstrap', ['--variant=minbase', 'bookworm', root]);
    installNode(folder, root);
    const container = buildah('from', 'scratch');
    buildah('copy', container, root, '/');
    buildah('config', '--env=PATH=/usr/local/bin:/usr/bin:/bin', container);
    if (existsSync(certificates)) trustAsHere(container);
    buildah('commit', '--rm', container, name);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The npm registry also has the Node binary and npm as packages. */
function installNode(folder: string, root: string): void {
  const binary = `node-linux-${process.arch}`;
  const packages = [`${binary}@${nodeVersion}`, `npm@${npmVersion}`];
  run('npm', ['install', '--ignore-scripts', '--no-save', `--prefix=${folder}`, ...packages]);
  const modules = join(folder, 'node_modules');
  const lib = join(root, 'usr', 'local', 'lib', 'node_modules');
  mkdirSync(lib, { recursive: true });
  cpSync(join(modules, binary, 'bin', 'node'), join(root, 'usr', 'local', 'bin', 'node'));
  cpSync(join(modules, 'npm'), join(lib, 'npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

/**
 * If this machine trusts certificates of its own to reach the registry, the build must trust them
 * too.
 */
function trustAsHere(container: string): void {
  buildah('copy', container, certificates, certificates);
  for (const variable of ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile']) {
    buildah('config', `--env=${variable}=${certificates}`, container);
  }
  const registry = run('npm', ['config', 'get', 'registry']).trim();
  buildah('config', `--env=npm_config_registry=${registry}`, container);
}
