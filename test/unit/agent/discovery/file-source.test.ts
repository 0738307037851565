import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFileSource } from '../../../../agent/discovery/file-source.js';
import type { NodeSource } from '../../../../agent/discovery/node-source.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import { Problems } from '../../../../agent/platform/problems.js';

let folder: string;
let path: string;
let source: NodeSource;
let problems: Problems;
let logged: string[];
let names: string[];

const list = (...listed: string[]) => JSON.stringify({ nodes: listed.map((name) => ({ name })) });

function watch(): Promise<void> {
  problems = new Problems();
  logged = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  const read = () => Promise.resolve().then(() => parseNodesFile(readFileSync(path, 'utf8'), 'c'));
  source = createFileSource({ path, read, logger, problems, pollMs: 20 });
  return source.start((nodes) => (names = nodes.map(({ name }) => name)));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshprobe-nodes-'));
  path = join(folder, 'nodes.yaml');
});
afterEach(() => {
  source.stop();
  rmSync(folder, { recursive: true });
});

const untilNames = (...expected: string[]) =>
  vi.waitFor(() => expect(names).toEqual(expected), 5000);

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

  test('keeps the last good list while it is broken or gone, and says so once', async () => {
    writeFileSync(path, list('a'));
    await watch();
    writeFileSync(path, 'nodes: 7');
    await vi.waitFor(() => expect(problems.list()).toHaveLength(1), 5000);
    expect(problems.list()[0]).toContain('nodes: expected a list of nodes, got 7');
    writeFileSync(path, 'nodes: 7 ');
    writeFileSync(path, 'nodes: 7  ');
    expect(names).toEqual(['c/a']);
    writeFileSync(path, list('b'));
    await untilNames('c/b');
    expect(problems.list()).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  test('is refused where it is broken at the start', async () => {
    writeFileSync(path, 'nodes: 7');
    await expect(watch()).rejects.toThrow(`nodes-file: ${path}: nodes: expected a list`);
  });
});
