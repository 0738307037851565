import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { readTargets } from '../../../../agent/targets/definition/read-targets.js';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';
import { hostileTargets } from './hostile-targets.js';
import { useFolder } from '../../../resources/folder.js';
import { podAt } from './lib/fake-target.js';

const oneLine = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,400}$/u;

/** The error of a reading, which must be one line for people. */
async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  const { message } = error as ConfigError;
  expect(message).toMatch(oneLine);
  return message;
}

test('there are a hundred of them and more, each another', () => {
  expect(new Set(hostileTargets.map(([text]) => text)).size).toBe(hostileTargets.length);
  expect(hostileTargets.length).toBeGreaterThan(100);
});

describe('a hostile targets file is refused in one line', () => {
  test.each(hostileTargets.map(([text, words]) => [text.slice(0, 100), words, text] as const))(
    '%j',
    async (_, words, text) => {
      const message = await refusal(parseTargetsFile(text));
      expect(message).toContain(words);
      expect(message).not.toContain('secret');
      expect(({} as Record<string, unknown>)['targets']).toBeUndefined();
    },
  );
});

describe('a path that is no targets file is refused in one line', () => {
  const folder = useFolder();
  const at = (name: string): string => join(folder, name);
  const server = createServer();

  beforeAll(async () => {
    mkdirSync(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync(at('loop'), at('loop'));
    writeFileSync(at('large'), `#${' '.repeat(64 * 1024)}\ntargets: []`);
    server.listen(at('socket'));
    await once(server, 'listening');
  });

  afterAll(() => {
    server.close();
  });

  test.each([
    ['missing', 'there is no such file'],
    ['folder', 'it is no regular file'],
    ['pipe', 'it is no regular file'],
    ['socket', 'it is no regular file'],
    ['loop', 'ELOOP'],
    ['large', 'expected at most 65536 bytes, got 65549'],
  ])('%s', async (name, words) => {
    const pod = podAt(folder);
    const message = await refusal(
      readTargets({ kind: 'none', inline: [], file: at(name), budgetPerSecond: 50, pod }),
    );
    expect(message).toContain(`targets-file: ${at(name)}: `);
    expect(message).toContain(words);
  });
});
