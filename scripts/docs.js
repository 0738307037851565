// `npm run docs`: writes the part of docs/architecture.md that repeats what ESLint holds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolderTable } from './boundaries.js';
import { root } from './sources.js';

const path = join(root, 'docs/architecture.md');
writeFileSync(path, withFolderTable(readFileSync(path, 'utf8')));
