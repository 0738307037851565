import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

/** In `node_modules`, so that Node loads what is here by itself. */
const cache = join(import.meta.dirname, '../node_modules/.cache/meshprobe-tests');

/**
 * Makes bundles of all test files of a project that this run asks for; what several of them import is bundled once.
 * Vitest's own modules are made one by one, and each use of an import in them is a look-up and a call: that is a quarter
 * of the time of short tests, and a sixth of tests that compute. A watched run has them, as it loads again what changed.
 */
export function bundled(): Plugin {
  let bundle: (() => Promise<string>) | undefined;
  let made: Promise<string> | undefined;
  return {
    name: 'bundled',
    enforce: 'pre',
    configureVitest({ vitest, project }) {
      if (vitest.config.watch) return;
      bundle = async () => {
        const { filenamePattern } = vitest as { filenamePattern?: string[] };
        const { testFiles } = await project.globTestFiles(filenamePattern);
        const folder = join(cache, String(process.pid), project.name.replaceAll(' ', '-'));
        await bundleTests(testFiles, vitest.config.root, folder);
        return folder;
      };
      vitest.onClose(removeBundles);
    },
    async load(id) {
      if (!bundle || !id.endsWith('.test.ts')) return undefined;
      const folder = await (made ??= bundle());
      const name = relative(this.environment.config.root, id).replace(/ts$/, 'mjs');
      return `import ${JSON.stringify(join(folder, name))};`;
    },
  };
}

async function bundleTests(files: string[], root: string, folder: string): Promise<void> {
  await build({
    entryPoints: files,
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    define: { 'import.meta.url': 'sourceUrl__', 'import.meta.dirname': 'sourceFolder__' },
    plugins: [ownPlaces],
    logLevel: 'warning',
  });
}

/** Modules in a bundle say where their source is, as they do without it. The line numbers stay. */
const ownPlaces: EsbuildPlugin = {
  name: 'own-places',
  setup(bundler) {
    bundler.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return undefined;
      const [url, folder] = [pathToFileURL(path).href, dirname(path)].map((one) =>
        JSON.stringify(one),
      );
      const places = `const sourceUrl__ = ${url}, sourceFolder__ = ${folder};`;
      return { contents: places + source, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Removes the bundles of this run, and those of runs that were killed. */
function removeBundles(): void {
  if (!existsSync(cache)) return;
  for (const run of readdirSync(cache)) {
    if (Number(run) === process.pid || !isAlive(Number(run))) {
      rmSync(join(cache, run), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
