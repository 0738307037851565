import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root folder of the repository. */
export const root = join(import.meta.dirname, '..');

/** The file in which the build stores the digest of its sources, and their commit. */
export const stampFile = join(root, 'dist', 'sources.sha256');

const folders = ['agent', 'api', 'cli', 'scripts', 'deploy/kubernetes'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'docs/when-it-says.md'];

/**
 * A digest of everything that a build depends on. It covers contents but not times, so that a
 * checkout changes nothing.
 */
export function digestSources() {
  const digest = createHash('sha256');
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|json|html|css|svg|js|yaml)$/.test(name))
      .map((name) => join(folder, name)),
  );
  for (const name of [...files, ...sources.sort()]) {
    digest
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0');
  }
  return digest.digest('hex');
}

/**
 * Whether dist was built from the current sources.
 * @param {string} [commit] whether it was built from this commit too
 */
export function isBuilt(commit) {
  try {
    const [digest, builtCommit] = readFileSync(stampFile, 'utf8').trim().split(' ');
    return digest === digestSources() && (commit === undefined || commit === builtCommit);
  } catch {
    return false;
  }
}

/**
 * The manifests that `kubectl meshprobe check` installs, by their paths in `deploy/kubernetes`.
 * @returns {Record<string, string>}
 */
export function checkManifests() {
  const folder = join(root, 'deploy', 'kubernetes');
  const parts = ['base', 'components/ports', 'components/cilium/ports.yaml'];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .filter((path) => parts.some((part) => path === part || path.startsWith(`${part}/`)));
  return Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
