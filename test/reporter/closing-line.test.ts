import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const here = import.meta.dirname;
const vitest = join(here, '../../node_modules/vitest/vitest.mjs');
const head = "import { beforeAll, describe, expect, test } from 'vitest';\n";
let folder: string;

// Inside the checkout, so that the files find vitest.
beforeEach(() => {
  folder = mkdtempSync(join(here, 'run-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(files: Readonly<Record<string, string>>): { lines: string[]; code: number | null } {
  const config = `import { reporters } from '../reporters.js';
export default { test: { reporters } };`;
  writeFileSync(join(folder, 'vitest.config.ts'), config);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), head + text);
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    encoding: 'utf8',
  });
  return { lines: stdout.trimEnd().split('\n'), code: status };
}

describe('the closing line of a test run', () => {
  test('counts tests and comes last, after the times and the reasons for skipping', () => {
    const { lines, code } = run({
      'a.test.ts': `test('a', () => {}); test('b', () => {});
        test('c', ({ skip }) => skip('needs root')); test('d', ({ skip }) => skip('needs root'));`,
    });
    expect(lines.slice(-2)).toEqual(['2 skipped: needs root', '2 passed, 0 failed, 2 skipped']);
    expect(lines.slice(-6, -2)).toEqual([
      'Time by file, the slowest 1 of 1:',
      expect.stringMatching(/^ +\d+\.\d s {2}unnamed .*a\.test\.ts$/),
      'Time by project, the sum of its files:',
      expect.stringMatching(/^ +\d+\.\d s {2}unnamed \(files: 1\)$/),
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ['a failed test', `test('a', () => expect(1).toBe(2));`, '0 passed, 1 failed, 0 skipped'],
    ['a file that does not load', `throw new Error('x');`, '0 passed, 1 failed, 0 skipped'],
    [
      'a hook that fails',
      `test('a', () => {}); describe('s', () => { beforeAll(() => { throw new Error('x'); }); test('b', () => {}); });`,
      '1 passed, 1 failed, 1 skipped',
    ],
    [
      'an error outside all tests',
      `test('a', async () => { void Promise.reject(new Error('x')); await new Promise(setImmediate); });`,
      '1 passed, 1 failed, 0 skipped',
    ],
  ])('counts %s as failed and exits with 1', (_what, text, line) => {
    const { lines, code } = run({ 'a.test.ts': text });
    expect(lines.at(-1)).toBe(line);
    expect(code).toBe(1);
  });

  test('names each failure before the closing line, by file, name and first line', () => {
    const { lines } = run({
      'a.test.ts': `test('a', () => {}); describe('s', () => {
        test('b', () => { throw new Error('no answer\\nsecond line'); });
      });`,
    });
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^failed: .*a\.test\.ts > s > b: no answer$/),
      '1 passed, 1 failed, 0 skipped',
    ]);
  });

  test('names what passed only when it was run again, with what it said first', () => {
    const { lines, code } = run({
      'a.test.ts': `let runs = 0;
        test('a', { retry: 1 }, () => { if (++runs === 1) throw new Error('no answer'); });
        test('b', { retry: 1 }, () => {});`,
    });
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^passed again: .*a\.test\.ts > a: no answer$/),
      '2 passed, 0 failed, 0 skipped',
    ]);
    expect(code).toBe(0);
  });

  test('names the first twenty failures and counts the others', () => {
    const failing = "test.each(Array(22).fill(0))('a', () => expect(1).toBe(2));";
    const { lines } = run({ 'a.test.ts': failing });
    expect(lines.filter((line) => line.includes('a.test.ts > a: expected'))).toHaveLength(20);
    expect(lines.slice(-2)).toEqual(['failed: 2 more', '0 passed, 22 failed, 0 skipped']);
  });

  test('says one failed where no test was found', () => {
    const { lines, code } = run({});
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });
});
