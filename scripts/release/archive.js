import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.js';

/**
 * Packs files into a .tar.gz that is the same for the same files, whoever packs them and when.
 * @param {string} path of the archive
 * @param {Readonly<Record<string, string>>} files the source of each file or folder, by its path in the archive
 * @param {number} time of all files, in seconds since the epoch
 */
export function writeArchive(path, files, time) {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-archive-'));
  try {
    for (const [name, source] of Object.entries(files)) {
      const target = join(folder, name);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(source, target, { recursive: true });
    }
    runProgram('tar', [
      ...['--create', '--file', path, '--directory', folder, '--use-compress-program', 'gzip -9n'],
      ...['--sort=name', '--format=ustar', `--mtime=@${time}`, '--mode=u=rwX,go=rX'],
      ...['--owner=0', '--group=0', '--numeric-owner', ...Object.keys(files).sort()],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
