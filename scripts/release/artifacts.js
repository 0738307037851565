import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../sources.js';
import { about } from './about.js';
import { writeArchive } from './archive.js';
import { releaseNotes } from './changelog.js';
import { checksums } from './checksums.js';
import { packKubectlPlugin } from './kubectl-plugin.js';
import { packKubernetes } from './kubernetes.js';
import { packageBom } from './sbom.js';
import { runProgram } from './run-program.js';

const { version } = about;
const inRoot = (/** @type {string} */ path) => join(root, path);
const read = (/** @type {string} */ path) => readFileSync(inRoot(path), 'utf8');

/**
 * Makes the artifacts of a release.
 * @param {{ folder: string, isDryRun: boolean, imageDigest: string | undefined }} options
 * @returns {string[]} what could not be made here, and why
 */
export function makeArtifacts({ folder, isDryRun, imageDigest }) {
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(join(folder, name), text);
  const pack = (/** @type {string} */ name, /** @type {Record<string, string>} */ files) =>
    writeArchive(join(folder, `meshprobe-${name}-${version}.tar.gz`), files, time);

  const notes = releaseNotes(read('CHANGELOG.md'), isDryRun ? 'Unreleased' : version);
  const time = commitTime();
  // The package comes first: its prepack builds what the other artifacts take.
  runProgram('npm', ['pack', '--pack-destination', folder]);
  write(`meshprobe-${version}.cdx.json`, `${JSON.stringify(npmBom(), null, 2)}\n`);
  const licence = { LICENSE: inRoot('LICENSE') };
  pack('man', { man: inRoot('dist/man'), ...licence });
  pack('systemd', {
    systemd: inRoot('deploy/systemd'),
    'hosts.md': inRoot('docs/hosts.md'),
    ...licence,
  });
  packKubectlPlugin(folder, time);
  const leftOut = packKubernetes(folder, imageDigest, time);
  write('RELEASE-NOTES.md', notes);
  write('SHA256SUMS', checksums(folder));
  return leftOut;
}

/** The time of the commit, so that the same commit makes the same archives; else now. */
function commitTime() {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined && /^\d{1,12}$/.test(given)) return Number(given);
  try {
    return Number(runProgram('git', ['log', '-1', '--format=%ct']));
  } catch {
    return Math.floor(Date.now() / 1000);
  }
}

function npmBom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  return packageBom(
    JSON.parse(runProgram('npm', args)),
    read('dist/THIRD-PARTY-NOTICES.txt'),
    about,
  );
}
