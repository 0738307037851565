import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../resources/package-version.js';

const root = join(import.meta.dirname, '../../..');

/** A version that no build has. */
export const otherVersion = '99.0.0';

/**
 * Copies the programs of the agent, but for their version.
 * @returns the path of its main program
 */
export async function otherVersionOf(folder: string): Promise<string> {
  const copy = join(folder, `version-${otherVersion}`);
  const main = join(copy, 'dist/agent/main.js');
  await cp(join(root, 'dist/agent'), join(copy, 'dist/agent'), {
    recursive: true,
    filter: (name) => !name.endsWith('.map'),
  });
  for (const name of ['node_modules', 'package.json'])
    await symlink(join(root, name), join(copy, name)).catch(ignoreExisting);
  const chunks = join(copy, 'dist/agent/chunks');
  let replaced = 0;
  for (const name of await readdir(chunks)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(join(chunks, name), 'utf8');
    const other = text.replace(`="${version}",commit=`, `="${otherVersion}",commit=`);
    if (other === text) continue;
    replaced++;
    await writeFile(join(chunks, name), other);
  }
  if (replaced !== 1) throw new Error(`expected the version in one chunk, got ${replaced}`);
  return main;
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}
