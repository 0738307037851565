// `npm run docs`: writes the reference, and the part of docs/architecture.md that repeats what ESLint holds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolderTable } from './boundaries.js';
import { loadScript } from './load-script.js';
import { root } from './sources.js';

/** @type {typeof import('./reference/pages.js')} */
const { referencePages } = await loadScript('scripts/reference/pages.ts');

const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const pages = {
  ...referencePages(root),
  'docs/architecture.md': withFolderTable(architecture),
};
for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text);
