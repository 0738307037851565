// `npm run build`: bundles the programs into dist/.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { buildPage } from './build-page.js';
import { currentCommit } from './commit.js';
import { loadScript } from './load-script.js';
import { checkManifests, digestSources, root, stampFile } from './sources.js';
import { thirdPartyNotices } from './third-party-notices.js';
import { trimmedPackages } from './trimmed-packages.js';

const dist = join(root, 'dist');
const firstLine = '#!/usr/bin/env node';
/** Each group is bundled by itself. A chunk that two programs share holds what either needs. */
const groups = {
  agent: {
    'agent/main': 'agent/main.ts',
    'agent/nodes-file-worker': 'agent/discovery/nodes-file-worker.ts',
  },
  mesh: { 'mesh/main': 'scripts/local-mesh/main.ts' },
};
/** People wait for these to start. A single CommonJS file does so 8 ms sooner than ES modules. */
const cli = { 'cli/main': 'cli/main.ts', 'cli/kubectl-meshprobe': 'cli/kubectl/main.ts' };
const programs = Object.assign({ ...cli }, ...Object.values(groups));
/** @type {{ version: string, bin: Record<string, string> }} */
const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @type {string[]} */
const missing = Object.values(programs).filter((entry) => !existsSync(join(root, entry)));
for (const entry of missing) {
  process.stderr.write(`build: skipped ${entry}: no such file\n`);
  process.exitCode = 1;
}

/**
 * What the CLI imports only when needed, such as zod: ES modules beside it, by the names of their files.
 * @type {Record<string, string>}
 */
const importedLater = {};
/**
 * What shares no chunk with the others. A chunk with zod would otherwise hold what the SDK of the Model
 * Context Protocol needs of it too, and each command would read that.
 */
const bundledApart = ['cli/mcp/serve'];
/** @type {import('esbuild').Plugin} */
const importLater = {
  name: 'import-later',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = relative(root, join(resolveDir, path)).replace(/\.js$/, '');
      importedLater[`cli/chunks/${name}`] = `${name}.ts`;
      return { path: `./chunks/${name}.mjs`, external: true };
    });
  },
};

const digest = digestSources();
const commit = currentCommit();
const defined = {
  __VERSION__: JSON.stringify(version),
  __COMMIT__: JSON.stringify(commit),
  __MANIFESTS__: JSON.stringify(checkManifests()),
};
const whenItSays = readFileSync(join(root, 'docs/when-it-says.md'), 'utf8');
/** @type {typeof import('../agent/platform/node-start.js')} */
const { programStart } = await loadScript('agent/platform/node-start.ts');
const outputs = await Promise.all([
  buildPage(join(dist, 'page')),
  ...Object.entries(groups).map(([name, entries]) => bundle(name, entries)),
  bundle('cli', cli, {
    format: 'cjs',
    splitting: false,
    plugins: [importLater],
    banner: { js: firstLine },
  }),
]);
/** @param {[string, string]} one */
const isApart = ([, entry]) => bundledApart.includes(entry.replace(/\.ts$/, ''));
const later = Object.entries(importedLater);
const modules = { outExtension: { '.js': '.mjs' } };
outputs.push(
  await bundle('cli', Object.fromEntries(later.filter((one) => !isApart(one))), modules),
  await bundle('cli', Object.fromEntries(later.filter(isApart)), {
    ...modules,
    chunkNames: 'cli/chunks/apart/[name]-[hash]',
    define: { ...defined, __WHEN_IT_SAYS__: JSON.stringify(whenItSays) },
  }),
);
const outputFiles = outputs.flatMap((output) => output.outputFiles);

/**
 * @param {string} name @param {Record<string, string>} entries
 * @param {import('esbuild').BuildOptions} [options]
 */
function bundle(name, entries, options) {
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).filter(([, entry]) => !missing.includes(entry)),
    ),
    outdir: dist,
    bundle: true,
    format: 'esm',
    // Dynamic imports stay separate files, which are loaded only when needed.
    splitting: true,
    chunkNames: `${name}/chunks/[name]-[hash]`,
    platform: 'node',
    target: 'node20',
    plugins: trimmedPackages,
    // node-fetch 2 has it for Node before version 10. It needs Node's punycode, of which Node 21 and later warn.
    alias: { 'whatwg-url': 'node:url' },
    // Native addons find their binaries beside their own package.json.
    external: ['net-ping', 'raw-socket', 'koffi'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: true,
    define: defined,
    // esbuild adds the banner to every file. Only the programs need the first lines, and they do no
    // harm in the others. Bundled CommonJS packages need the last line.
    banner: {
      js: `${name === 'agent' ? programStart : firstLine}\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    logLevel: 'warning',
    ...options,
    metafile: true,
    write: false,
  });
}

/**
 * Replaces a file atomically, because a mesh may be running from dist.
 * @param {string} path @param {Uint8Array | string} contents @param {number} [mode]
 */
function writeWhole(path, contents, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

const executables = new Set(Object.values(bin).map((path) => join(root, path)));
for (const { path, contents } of outputFiles) {
  writeWhole(path, contents, executables.has(path) ? 0o755 : 0o644);
}
const cliType = join(dist, 'cli', 'package.json');
writeWhole(cliType, '{ "type": "commonjs" }\n');
const noticesFile = join(dist, 'THIRD-PARTY-NOTICES.txt');
const metafiles = outputs.map(({ metafile }) => metafile);
writeWhole(noticesFile, `${thirdPartyNotices(metafiles, root)}\n`);
/** @type {typeof import('./man/pages.js')} */
const { manPages } = await loadScript('scripts/man/pages.ts');
const manFiles = Object.entries(manPages(version)).map(([name, text]) => {
  const path = join(dist, 'man', name);
  writeWhole(path, text);
  return path;
});
if (missing.length === 0) writeWhole(stampFile, `${digest} ${commit}\n`);

const built = new Set([
  stampFile,
  cliType,
  noticesFile,
  ...manFiles,
  ...outputFiles.map(({ path }) => path),
]);
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const isOurs = [...built].some((one) => one === path || one.startsWith(`${path}${sep}`));
  if (!isOurs) rmSync(path, { recursive: true, force: true });
}

// npm scripts then find the programs by name, as in a project that depends on this package.
for (const [name, path] of Object.entries(bin)) {
  const link = join(root, 'node_modules', '.bin', name);
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), join(root, path)), link);
}
