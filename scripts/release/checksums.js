import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The checksum of a file, in hexadecimal digits.
 * @param {string} path
 */
export function sha256Of(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/**
 * The checksums of all files of a folder, as `sha256sum --check` reads them.
 * @param {string} folder
 */
export function checksums(folder) {
  const names = readdirSync(folder).sort();
  return names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`).join('');
}
