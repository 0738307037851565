import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inOrder, slowFiles } from '../../longest-first.js';

const root = join(import.meta.dirname, '../../..');

test.each(slowFiles)('%s, which begins first, is there', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

test('the slowest files begin first, and the others of a project follow each other', () => {
  const file = (name: string, project: string) => ({
    moduleId: `/x/${name}`,
    project: { name: project },
  });
  const slow = file(slowFiles[1] ?? '', 'lab');
  const slower = file(slowFiles[0] ?? '', 'page');
  const others = [file('a', 'sim'), file('b', 'page'), file('c', 'sim'), file('d', 'page')];
  const [a, b, c, d] = others;
  expect([...others, slow, slower].sort(inOrder)).toEqual([slower, slow, b, d, a, c]);
});
