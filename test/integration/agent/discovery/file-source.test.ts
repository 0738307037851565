import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFileSource } from '../../../../agent/discovery/file-source.js';
import type { NodeSource } from '../../../../agent/discovery/node-source.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import type { SourceState } from '../../../../agent/discovery/source-state.js';
import { newFolder } from '../../../resources/folder.js';

let folder: string;
let path: string;
let source: NodeSource;
let states: SourceState[];
let names: string[];

const list = (...listed: string[]) => JSON.stringify({ nodes: listed.map((name) => ({ name })) });

function watch(): Promise<void> {
  states = [];
  const read = () =>
    Promise.resolve().then(() => parseNodesFile(readFileSync(path, 'utf8'), { clusterName: 'c' }));
  source = createFileSource({ path, read, report: (state) => states.push(state), pollMs: 20 });
  return source.start((nodes) => (names = nodes.map(({ name }) => name)));
}

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
});
