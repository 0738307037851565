import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openApiToken, readApiToken } from '../../../../agent/serving/api-token.js';
import { newFolder } from '../../../resources/folder.js';

let folder = '';
let warnings: unknown[] = [];
let problem: string | undefined;
const onProblem = (reason: string | undefined) => void (problem = reason);
const logger = {
  info: () => undefined,
  warn: (fields: unknown) => void warnings.push(fields),
};

beforeEach(() => {
  folder = newFolder();
  warnings = [];
});

function file(text: string, name = 'token'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the API token', () => {
  test('is the text of the file without surrounding space, and follows the file', async () => {
    const path = file('first-token-0123456789\n');
    const token = openApiToken(path, { logger, onProblem, checkEveryMs: 0 });
    expect(await token()).toBe('first-token-0123456789');
    writeFileSync(path, 'second-token-0123456789');
    expect(await token()).toBe('second-token-0123456789');
    renameSync(file('third-token-01234567890', 'other'), path);
    expect(await token()).toBe('third-token-01234567890');
    expect(warnings).toEqual([]);
  });

  test('stays the last good one while the file is missing or bad, and logs that once for each change', async () => {
    const path = file('first-token-0123456789');
    const token = openApiToken(path, { logger, onProblem, checkEveryMs: 0 });
    rmSync(path);
    expect([await token(), await token()]).toEqual(Array(2).fill('first-token-0123456789'));
    writeFileSync(path, 'short');
    expect([await token(), await token()]).toEqual(Array(2).fill('first-token-0123456789'));
    expect(warnings).toHaveLength(2);
    expect(problem).toMatch(/^api-token-file: expected a token of at least 16 /);
    writeFileSync(path, 'second-token-0123456789');
    expect(await token()).toBe('second-token-0123456789');
    expect(problem).toBeUndefined();
  });

  test('is read again until it can be, also where the file stays as it is', async () => {
    const path = file('first-token-0123456789');
    let isShort = false;
    const read = (from: string): Promise<string> =>
      isShort
        ? Promise.reject(new Error('EMFILE: too many open files'))
        : Promise.resolve(readApiToken(from));
    const token = openApiToken(path, { logger, onProblem, checkEveryMs: 0, read });
    renameSync(file('second-token-0123456789', 'other'), path);
    isShort = true;
    expect([await token(), await token()]).toEqual(Array(2).fill('first-token-0123456789'));
    isShort = false;
    expect(await token()).toBe('second-token-0123456789');
    expect(warnings).toHaveLength(1);
  });

  test('stays the last good one while the disk of the file hangs, and that is told', async () => {
    const path = file('first-token-0123456789');
    let answer: (token: string) => void = () => undefined;
    let looks = 0;
    const read = () => {
      looks++;
      return new Promise<string>((settle) => (answer = settle));
    };
    const options = { logger, onProblem, checkEveryMs: 0, waitMs: 1, read };
    const token = openApiToken(path, options);
    expect([await token(), await token()]).toEqual(Array(2).fill('first-token-0123456789'));
    expect(problem).toBe(`api-token-file: "${path}": its disk does not answer`);
    expect(looks).toBe(1);
    answer('second-token-0123456789');
    await vi.waitUntil(() => problem === undefined);
    void token();
    expect(looks).toBe(2);
    answer('second-token-0123456789');
    expect(await token()).toBe('second-token-0123456789');
  });

  test('is no pipe, which would be waited for without end', () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(() => readApiToken(path)).toThrow('it is no regular file');
  });

  test.each([
    '',
    '\n',
    'too-short',
    'two words of some length',
    'ümlaut-0123456789',
    'x'.repeat(5000),
  ])('is refused as %j, without a word of it in the message', (text) => {
    const path = file(text);
    expect(() => readApiToken(path)).toThrow(/^api-token-file: expected a token of at least 16 /);
    const word = text.trim().slice(0, 9);
    if (word !== '') expect(() => readApiToken(path)).not.toThrow(word);
  });

  test('is refused if there is no file', () => {
    expect(() => readApiToken(join(folder, 'none'))).toThrow(
      /^api-token-file: expected a readable file, got .*: there is no such file$/,
    );
  });
});
