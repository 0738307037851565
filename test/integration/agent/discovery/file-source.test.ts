import { setTimeout as delay } from 'node:timers/promises';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFileSource } from '../../../../agent/discovery/file-source.js';
import type { NodeSource } from '../../../../agent/discovery/node-source.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import type { SourceState } from '../../../../agent/discovery/source-state.js';
import { StartError } from '../../../../agent/platform/errors.js';
import { newFolder } from '../../../resources/folder.js';

let folder: string;
let path: string;
let source: NodeSource;
let states: SourceState[];
let names: string[];
let lists: number[];

const list = (...listed: string[]) => JSON.stringify({ nodes: listed.map((name) => ({ name })) });

function watch({ restMs = 20, afterRead = () => undefined } = {}): Promise<void> {
  [states, lists] = [[], []];
  const read = async () => {
    const nodes = parseNodesFile(readFileSync(path, 'utf8'), { clusterName: 'c' });
    await Promise.resolve();
    afterRead();
    return nodes;
  };
  const report = (state: SourceState) => void states.push(state);
  source = createFileSource({ path, read, report, pollMs: 20, restMs });
  return source.start((nodes) => {
    names = nodes.map(({ name }) => name);
    lists.push(names.length);
  });
}
/** The part of a YAML list. Its first lines are a list of their own. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `  - { name: n${from + n} }\n`).join('');
/** As if it had been written so long ago. */
const age = (ms: number) => {
  const at = new Date(Date.now() - ms);
  utimesSync(path, at, at);
};

beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'nodes.yaml');
});
afterEach(() => {
  source.stop();
});

const untilNames = (...expected: string[]) =>
  vi.waitFor(() => expect(names).toEqual(expected), 20_000);

describe('a nodes file as a node source', () => {
  test('is read at the start and again when it is edited', async () => {
    writeFileSync(path, list('a'));
    await watch();
    expect(names).toEqual(['c/a']);
    writeFileSync(path, list('a', 'b'));
    await untilNames('c/a', 'c/b');
  });

  test('is read again when another file is renamed over it', async () => {
    writeFileSync(path, list('a'));
    await watch();
    writeFileSync(`${path}.new`, list('b'));
    renameSync(`${path}.new`, path);
    await untilNames('c/b');
  });

  test('is read again when the link above it is swapped, as in a ConfigMap', async () => {
    for (const version of ['1', '2']) mkdirSync(join(folder, version));
    writeFileSync(join(folder, '1', 'nodes.yaml'), list('a'));
    writeFileSync(join(folder, '2', 'nodes.yaml'), list('b'));
    symlinkSync('1', join(folder, '..data'));
    symlinkSync(join('..data', 'nodes.yaml'), path);
    await watch();
    expect(names).toEqual(['c/a']);
    symlinkSync('2', join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, '..data'));
    await untilNames('c/b');
  });

  test('is not read while it is written in place, and once it got its times', async () => {
    writeFileSync(path, `nodes:\n${lines(0, 50)}`);
    age(60_000);
    await watch({ restMs: 3_600_000 });
    writeFileSync(path, `nodes:\n${lines(0, 10)}`);
    // Some beats.
    await delay(200);
    appendFileSync(path, lines(10, 60));
    await delay(200);
    expect(lists).toEqual([50]);
    expect(states.filter(({ lastError }) => lastError !== undefined)).toEqual([]);
    source.stop();
    // As scp -p and rsync do at the end.
    age(60_000);
    await watch({ restMs: 3_600_000 });
    expect(lists).toEqual([60]);
  });

  test('that was written in place is read once nobody has written into it for a while', async () => {
    writeFileSync(path, `nodes:\n${lines(0, 3)}`);
    await watch({ restMs: 100 });
    writeFileSync(path, `nodes:\n${lines(0, 2)}`);
    await untilNames('c/n0', 'c/n1');
    expect(lists).toEqual([3, 2]);
  });

  test('that is still being written at the start is waited for', async () => {
    writeFileSync(path, `nodes:\n${lines(0, 1)}`);
    const started = watch({ restMs: 3_600_000 });
    await delay(200);
    expect(lists).toEqual([]);
    expect(states).toMatchObject([{ since: expect.any(Number) as number, lastError: undefined }]);
    source.stop();
    await started;
    expect(lists).toEqual([]);
  });

  test.each([
    ['was written long ago', `nodes:\n${lines(0, 2)}`, 600_000],
    ['is JSON, of which no part is valid', list('a', 'b'), 0],
  ])('is read at once at the start where it %s', async (_, text, agoMs) => {
    writeFileSync(path, text);
    if (agoMs > 0) age(agoMs);
    await watch({ restMs: 300_000 });
    expect(lists).toEqual([2]);
  });

  test('is read at once at the start where it was renamed there', async () => {
    writeFileSync(`${path}.new`, `nodes:\n${lines(0, 2)}`);
    // Times come in steps of some milliseconds.
    await vi.waitFor(() => {
      renameSync(`${path}.new`, path);
      renameSync(path, `${path}.new`);
      const { mtimeMs, ctimeMs } = statSync(`${path}.new`);
      expect(ctimeMs).toBeGreaterThan(mtimeMs);
    });
    renameSync(`${path}.new`, path);
    await watch({ restMs: 300_000 });
    expect(lists).toEqual([2]);
  });

  test('that is bad is read more and more seldom while it stays the same, and at once when it is mended', async () => {
    writeFileSync(path, list('a'));
    await watch();
    const before = states.length;
    writeFileSync(path, '{"nodes": [{}]}');
    await vi.waitFor(() => expect(states.length).toBeGreaterThan(before));
    await delay(600);
    // After 20, 60, 140 and 300 ms; with each beat it would be thirty times.
    expect(states.length - before).toBeLessThan(10);
    writeFileSync(path, list('a', 'b'));
    await vi.waitFor(() => expect(names).toEqual(['c/a', 'c/b']));
  });

  test('that changes while it is read is read again', async () => {
    writeFileSync(path, list('a'));
    const changes = ['b', 'c'];
    const afterRead = () => {
      const next = lists.length > 0 ? changes.shift() : undefined;
      if (next !== undefined) writeFileSync(path, list('a', next, 'd'));
      return undefined;
    };
    await watch({ afterRead });
    writeFileSync(path, list('x', 'y'));
    await untilNames('c/a', 'c/c', 'c/d');
    expect(lists).toEqual([1, 3]);
  });

  test('is waited for until it was read', async () => {
    writeFileSync(path, list('a'));
    await watch();
    const about = { source: `nodes file ${path}`, waitsFor: `the nodes file ${path}` };
    expect(states).toHaveLength(2);
    expect(states[0]).toMatchObject({ ...about, listAt: undefined, lastError: undefined });
    expect(states[0]?.since).toBeTypeOf('number');
    expect(states[1]).toMatchObject({ ...about, since: undefined });
    expect(states[1]?.listAt).toBeTypeOf('number');
  });

  test('keeps the last good list while it is broken or gone, and says so', async () => {
    writeFileSync(path, list('a'));
    await watch();
    const listAt = states.at(-1)?.listAt;
    writeFileSync(path, 'nodes: 7');
    await vi.waitFor(() => expect(states.at(-1)?.since).toBeTypeOf('number'), 20_000);
    const broken = states.at(-1);
    expect(broken?.lastError).toBe('nodes: expected a list of nodes, got 7 (line 1, column 8)');
    expect(broken?.listAt).toBe(listAt);
    rmSync(path);
    await vi.waitFor(() => expect(states.at(-1)?.lastError).toContain('ENOENT'), 20_000);
    expect(states.at(-1)?.since).toBe(broken?.since);
    expect(names).toEqual(['c/a']);
    writeFileSync(path, list('b'));
    await untilNames('c/b');
    expect(states.at(-1)?.since).toBeUndefined();
  });

  test('is refused if it is broken at the start', async () => {
    writeFileSync(path, 'nodes: 7');
    await expect(watch()).rejects.toThrow(`nodes-file: ${path}: nodes: expected a list`);
  });

  test('is no bad input where this host cannot start its reader at the moment', async () => {
    writeFileSync(path, list('a'));
    const afterRead = (): never => {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    };
    const started = watch({ afterRead });
    await expect(started).rejects.toThrow(StartError);
    await expect(started).rejects.toThrow(`nodes-file: ${path}: EAGAIN`);
  });
});
