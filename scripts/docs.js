// `npm run docs`: writes the reference, and the part of docs/architecture.md that repeats what ESLint holds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withFolderTable } from './boundaries.js';
import { root } from './sources.js';

const outfile = join(root, 'node_modules', '.cache', 'meshprobe-docs', 'pages.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['scripts/reference/pages.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
/** @type {typeof import('./reference/pages.js')} */
const { referencePages } = await import(outfile);

const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const pages = {
  ...referencePages(root),
  'docs/architecture.md': withFolderTable(architecture),
};
for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text);
