import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** The test files that vitest finds by a configuration; twice if two projects have one. */
function filesOf(config: string): string[] {
  const args = [vitest, 'list', '--filesOnly', '--json', '--config', config];
  const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const found = JSON.parse(output) as { readonly file: string }[];
  return found.map(({ file }) => relative(root, file));
}

test('each test file belongs to one of npm test and npm run test:long, and to it once', () => {
  // Images and clusters have commands of their own. The tests of the reporter write test files.
  const apart = /^(image|cluster|reporter\/run-.*)\//;
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !apart.test(file))
    .map((file) => join('test', file));
  const short = filesOf('vitest.config.ts');
  const long = filesOf('test/long/vitest.config.ts');
  expect(short.length).toBeGreaterThan(long.length);
  expect([...short, ...long].sort()).toEqual(all.sort());
  expect(long.filter((file) => !/\.(long|fuzz)\.test\.ts$/.test(file))).toEqual([]);
});

test('the long command uses the configuration of the long tests', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['test']).toBe('node scripts/test.js');
  expect(scripts['test:long']).toBe('node scripts/test.js --config test/long/vitest.config.ts');
});
