import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { folders, folderTable } from '../../../scripts/boundaries.js';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const searched = ['agent', 'api', 'cli', 'scripts', 'docs'];
const fileNames = new Set(
  searched.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      basename(name),
    ),
  ),
);

test('docs/architecture.md names only files and folders that exist', () => {
  const named = [...page.matchAll(/`([\w./-]+(?:\.(?:ts|js|md)|\/))`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(40);
  const gone = named.filter((name) =>
    name.includes('/')
      ? !existsSync(join(root, name))
      : !fileNames.has(name) && !existsSync(join(root, name)),
  );
  expect(gone).toEqual([]);
});

test('docs/architecture.md has the imports that ESLint allows (npm run docs)', () => {
  expect(page).toContain(`\n${folderTable()}\n\n`);
});

test('every folder of the agent has a rule for its imports', () => {
  const found = readdirSync(join(root, 'agent'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.map(({ name }) => name).sort()).toEqual(found.sort());
});
