import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readKeyFile, watchKeyFile } from '../../../../../agent/exchange/messages/key-file.js';
import { newFolder } from '../../../../resources/folder.js';

const [first, second] = ['the first key of the mesh', 'the second key of the mesh'];
let folder: string;
let path: string;
beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'key');
});

describe('the key file', () => {
  test('is refused in one line that shows no part of a key', () => {
    expect(() => readKeyFile(path)).toThrow('mesh-key-file: expected a readable key file');
    writeFileSync(path, 'short\n');
    expect(() => readKeyFile(path)).toThrow(/^mesh-key-file: [^\n]*at least 16 bytes[^\n]*got 5/);
    expect(() => readKeyFile(path)).not.toThrow('short');
  });

  test('is no pipe, which would be waited for without end', async () => {
    execFileSync('mkfifo', [path]);
    expect(() => readKeyFile(path)).toThrow('it is no regular file');
    const onProblem = vi.fn();
    const stop = watchKeyFile({ path, everyMs: 5, onKeys: () => undefined, onProblem });
    onTestFinished(stop);
    await vi.waitFor(() => {
      expect(onProblem).toHaveBeenCalledWith(expect.stringContaining('it is no regular file'));
    }, 20_000);
  });

  test('is read again when it changes, and the last good key stays valid while it is bad', async () => {
    writeFileSync(path, first);
    const keys: (readonly string[])[] = [];
    const problems: (string | undefined)[] = [];
    const stop = watchKeyFile({
      path,
      everyMs: 5,
      onKeys: (read) => keys.push(read),
      onProblem: (reason) => problems.push(reason),
    });
    try {
      await vi.waitFor(() => expect(keys).toEqual([[first]]), 20_000);
      writeFileSync(path, 'bad');
      await vi.waitFor(() => expect(problems.at(-1)).toContain('at least 16 bytes'), 20_000);
      writeFileSync(path, `${second}\n${first}\n`);
      await vi.waitFor(() => expect(keys).toEqual([[first], [second, first]]), 20_000);
      await vi.waitFor(() => expect(problems.at(-1)).toBeUndefined(), 20_000);
    } finally {
      stop();
    }
  });
});
