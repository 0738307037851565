import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { about } from './about.js';
import { writeArchive } from './archive.js';
import { sha256Of } from './checksums.js';

const { version, homepage } = about;
const programs = join(root, 'dist/cli');
const krew = join(root, 'deploy/krew');

/**
 * Packs the plug-in of kubectl, and writes the manifest by which krew installs that archive.
 * @param {string} folder
 * @param {number} time of the packed files, in seconds since the epoch
 */
export function packKubectlPlugin(folder, time) {
  const name = `kubectl-meshprobe-${version}.tar.gz`;
  const archive = join(folder, name);
  const files = {
    'kubectl-meshprobe.js': join(programs, 'kubectl-meshprobe.js'),
    ...chunkFiles(),
    // Without it a package.json of a folder above would say of which kind the program is.
    'package.json': join(programs, 'package.json'),
    LICENSE: join(root, 'LICENSE'),
  };
  writeArchive(archive, files, time);
  for (const file of readdirSync(krew).filter((one) => one.endsWith('.yaml'))) {
    const manifest = krewManifest(readFileSync(join(krew, file), 'utf8'), {
      uri: `${homepage}/releases/download/v${version}/${name}`,
      sha256: sha256Of(archive),
    });
    writeFileSync(join(folder, `krew-${file}`), manifest);
  }
}

/**
 * What `check` loads, without the source maps.
 * @returns {Record<string, string>}
 */
function chunkFiles() {
  const names = readdirSync(join(programs, 'chunks'), { recursive: true, encoding: 'utf8' });
  const modules = names.filter((name) => name.endsWith('.mjs')).map((name) => `chunks/${name}`);
  return Object.fromEntries(modules.map((name) => [name, join(programs, name)]));
}

/**
 * krew's manifest with the version, the address and the checksum of an archive.
 * @param {string} text
 * @param {{ uri: string, sha256: string }} archive
 */
export function krewManifest(text, { uri, sha256 }) {
  const values = { version: `v${version}`, uri, sha256 };
  return Object.entries(values).reduce((manifest, [key, value]) => {
    const line = new RegExp(`^([ -]*${key}:).*$`, 'gm');
    if (!line.test(manifest)) throw new Error(`expected ${key} in the manifest of krew, got none`);
    return manifest.replace(line, `$1 ${value}`);
  }, text);
}
