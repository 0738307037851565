import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { root } from './sources.js';

const source = join(root, 'api', 'page');

/**
 * Bundles the dashboard page: `index.html` and its assets. The name of each asset holds a digest of
 * its content, so that browsers may cache it for ever.
 * @param {string} folder where it will be written
 * @returns {Promise<{ outputFiles: { path: string, contents: Uint8Array }[], metafile: import('esbuild').Metafile }>}
 */
export async function buildPage(folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    tsconfig: join(source, 'tsconfig.json'),
    entryPoints: ['main.tsx', 'style.css'].map((name) => join(source, name)),
    outdir: folder,
    entryNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    publicPath: '/',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // Browsers of the last three years.
    target: ['chrome116', 'firefox124', 'safari17.4'],
    loader: { '.svg': 'file' },
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    write: false,
  });
  const names = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint, inputs }]) => [
      relative(source, join(root, entryPoint ?? Object.keys(inputs)[0] ?? '')),
      `/${relative(folder, join(root, path))}`,
    ]),
  );
  const index = readFileSync(join(source, 'index.html'), 'utf8').replace(
    /\{([\w./]+)\}/g,
    (_, name) => {
      const found = names.get(name.replace(/^main\.js$/, 'main.tsx'));
      if (found === undefined) throw new Error(`index.html: nothing was built from ${name}`);
      return found;
    },
  );
  const indexFile = { path: join(folder, 'index.html'), contents: Buffer.from(index) };
  return { outputFiles: [...outputFiles, indexFile], metafile };
}
