import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const licenseFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Returns the licences of all bundled packages as one text.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @param {string} root the folder that the metafiles' paths are relative to
 * @throws Error if a package declares no licence
 */
export function thirdPartyNotices(metafiles, root) {
  const bundled = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? (packageFolder(path) ?? []) : [],
      ),
    ),
  );
  const notices = [...new Set(bundled)].map((folder) => notice(join(root, folder)));
  return [
    'The programs of meshprobe hold parts of the packages below, each under its own licence.',
    ...[...new Set(notices)].sort(),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} path */
function packageFolder(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** @param {string} folder */
function notice(folder) {
  /** @type {{ name: string, version: string, license?: string }} */
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`expected a licence in package.json of ${name}, got none`);
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const body = texts.length > 0 ? texts : ['The package carries no licence text of its own.'];
  return [`${name} ${version} (${license})`, ...body].join('\n\n');
}
