import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { followFile } from '../../../../agent/platform/followed-file.js';
import { untilDiskAnswers } from '../../../../agent/platform/slow-disk.js';
import { createHttpTargetProber } from '../../../../agent/targets/probers/http-prober.js';
import { newFolder } from '../../../resources/folder.js';

/** As on a disk that hangs: all threads by which Node reads files wait. Returns how to end that. */
function hangFiles(folder: string): () => Promise<void> {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  const waiting = Array.from({ length: threads }, (): Promise<FileHandle> => open(pipe, 'r'));
  return async () => {
    const writer = openSync(pipe, 'w');
    for (const file of await Promise.all(waiting)) await file.close();
    closeSync(writer);
  };
}

test('a file of a target that hangs is trouble of this host, and no failure of the target', async () => {
  const folder = newFolder();
  const headersFile = join(folder, 'headers');
  writeFileSync(headersFile, 'X: y');
  const eventLoop = monitorEventLoop();
  onTestFinished(() => eventLoop.stop());
  const none = { caFile: undefined, tlsName: undefined };
  const prober = createHttpTargetProber(
    { url: 'http://127.0.0.1:1/', method: 'GET', expectStatus: [], headersFile, ...none },
    {
      eventLoop,
      thresholds: { failures: 3, recovery: 2 },
      openIcmp: () => Promise.reject(new Error()),
    },
  );
  onTestFinished(() => prober.close());
  const path = { node: '', plane: 'host', ip: '' } as const;
  const release = hangFiles(folder);
  const sample = await new Promise<Sample>((settle) => prober.probe(path, 100, settle));
  await release();
  expect(sample).toMatchObject({
    outcome: 'not-sent',
    detail: 'headersFile or ca: the file could not be read in time',
  });
});

test('a file that hangs is looked at once, whoever asks', async () => {
  const folder = newFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'text');
  const ask = followFile('file', path, () => 'text');
  const release = hangFiles(folder);
  const [first, second] = [ask(), ask()];
  await release();
  expect(second).toBe(first);
  expect(await first).toBe('text');
  expect(ask()).not.toBe(first);
});

test('a file that hangs as the agent starts is named while it is waited for', async () => {
  const path = join(newFolder(), 'targets.yaml');
  const release = hangFiles(newFolder());
  const told: string[] = [];
  let tell: () => void;
  const hasTold = new Promise<void>((settle) => (tell = settle));
  const note = (words: string) => {
    told.push(words);
    tell();
  };
  const answers = untilDiskAnswers(path, note, 1);
  await hasTold;
  await release();
  await answers;
  expect(told).toEqual([`waiting for ${path}: its disk does not answer`]);
});
