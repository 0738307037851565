import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowFiles } from '../../longest-first.js';

const root = join(import.meta.dirname, '../../..');

test.each(slowFiles)('%s, which begins first, is there', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});
