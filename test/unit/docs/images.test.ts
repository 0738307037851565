import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/images');
const maxBytes = 100_000;

// Everybody who clones the repository downloads them, each time that they change.
test('the pictures of the README are small, and no other is kept', () => {
  const names = readdirSync(folder);
  const shown = readFileSync(join(root, 'README.md'), 'utf8').matchAll(/docs\/images\/([\w.-]+)/g);
  expect(names.toSorted()).toEqual([...new Set([...shown].map(([, name]) => name))].toSorted());
  const large = names.filter((name) => statSync(join(folder, name)).size >= maxBytes);
  expect(large).toEqual([]);
});
