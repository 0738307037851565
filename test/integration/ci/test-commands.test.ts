import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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
  // Images and clusters have commands of their own.
  const folders = readdirSync(join(root, 'test')).filter((name) => !/^(image|cluster)$/.test(name));
  const all = folders.flatMap((folder) => {
    // The tests of the reporter make folders with test files in theirs, and delete them at any time.
    const options = { recursive: folder !== 'reporter', encoding: 'utf8' } as const;
    const isFolder = statSync(join(root, 'test', folder)).isDirectory();
    const files = isFolder ? readdirSync(join(root, 'test', folder), options) : [];
    return files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join('test', folder, file));
  });
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
