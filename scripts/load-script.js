import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './sources.js';

/**
 * Bundles a TypeScript module and loads it, for scripts that run before anything is built.
 * @param {string} entry its path in the repository
 * @param {string} [folder] what `import.meta.dirname` is in all that is bundled; left out, the folder of the bundle
 * @returns {Promise<any>} what it exports
 */
export async function loadScript(entry, folder) {
  // On a fresh checkout the packages are installed after this module is loaded.
  const { build } = await import('esbuild');
  const name = entry.replaceAll('/', '-').replace(/\.ts$/, '.mjs');
  const outfile = join(root, 'node_modules', '.cache', 'meshprobe-scripts', name);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: folder === undefined ? {} : { 'import.meta.dirname': JSON.stringify(folder) },
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
