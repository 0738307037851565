import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../../resources/folder.js';

/** The folder of `test/fixtures/host`. What all kernels show in one form is there once, in `all`. */
export const hostFixtures = join(import.meta.dirname, '../../../fixtures/host');

/** A folder with the `/proc` and `/sys` of a kernel. For a test: it is removed after it. */
export function kernelFiles(kernel: string): string {
  const folder = newFolder();
  for (const part of ['all', kernel]) cpSync(join(hostFixtures, part), folder, { recursive: true });
  return folder;
}
