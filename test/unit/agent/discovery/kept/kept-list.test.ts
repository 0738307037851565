import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { assignUniqueAddresses } from '../../../../../agent/discovery/assign-unique-addresses.js';
import {
  readKeptNodes,
  touchKeptNodes,
  writeKeptNodes,
} from '../../../../../agent/discovery/kept/kept-list.js';
import type { Node } from '../../../../../agent/model/node.js';
import { newFolder } from '../../../../resources/folder.js';

let base: string;
let folder: string;
let path: string;
beforeEach(() => {
  base = newFolder();
  folder = join(base, 'state');
  path = join(folder, 'agent.sock.c.nodes');
});

const whole: Node = {
  name: 'c/a',
  host: ['198.51.100.1', '2001:db8::1'],
  endpoint: ['10.244.0.2'],
  incarnation: 'uid-1',
  lifecycle: { phase: 'excluded', reason: 'cordoned' },
  condition: { name: 'NotReady', sinceAt: 1_700_000_000_000 },
  zone: 'west/west-1a',
  labels: { kernel: '6.8.0-45-generic', role: 'none' },
  lost: [{ ip: '198.51.100.9', holder: 'c/b' }],
};
const many = (count: number): Node[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `c/n${n}`,
    host: [`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`],
    endpoint: [],
  }));

describe('a kept node list', () => {
  test('leaves nothing of what could not be written', async () => {
    mkdirSync(path, { recursive: true });
    chmodSync(folder, 0o700);
    await expect(writeKeptNodes(path, many(3))).rejects.toThrow('EISDIR');
    expect(readdirSync(folder)).toEqual(['agent.sock.c.nodes']);
  });

  test('is read as it was written, with the time at which it was last true', async () => {
    await writeKeptNodes(path, [whole, ...many(1000)]);
    const at = new Date('2026-01-31T14:02:07Z');
    utimesSync(path, at, at);
    expect(await readKeptNodes(path)).toEqual({ nodes: [whole, ...many(1000)], at: at.getTime() });
    const before = Date.now();
    await touchKeptNodes(path);
    const touched = await readKeptNodes(path);
    // A file system may keep times in steps.
    expect(touched?.at).toBeGreaterThan(before - 2000);
  });

  test('is read also where nodes with the longest names have the addresses of each other', async () => {
    const [cluster, older, newer] = ['c', 'a', 'b'].map((letter) => letter.repeat(253));
    const ips = (net: string) =>
      Array.from({ length: 128 }, (_, n) => `${net}:1111:1111:1111:1111:1111:1111:${1000 + n}`);
    const claimed = assignUniqueAddresses([
      { name: `${cluster}/${older}`, host: ips('2001'), endpoint: ips('2002') },
      {
        ...{ name: `${cluster}/${newer}`, host: ['198.51.100.1', ...ips('2001').slice(1)] },
        endpoint: ips('2002'),
      },
      { name: `${cluster}/d`, host: ['198.51.100.2'], endpoint: ips('2002') },
    ]);
    expect(claimed[2]?.lifecycle?.reason?.length).toBeGreaterThan(512);
    expect(claimed[1]?.lost).toHaveLength(254);
    await writeKeptNodes(path, claimed);
    expect((await readKeptNodes(path))?.nodes).toEqual(claimed);
  });

  test('may be empty, may be missing, and is of now where its time is yet to come', async () => {
    expect(await readKeptNodes(path)).toBeUndefined();
    await writeKeptNodes(path, []);
    const later = new Date(Date.now() + 86_400_000);
    utimesSync(path, later, later);
    const { nodes, at } = (await readKeptNodes(path)) ?? { nodes: undefined, at: Infinity };
    expect(nodes).toEqual([]);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('is there for its owner alone', async () => {
    await writeKeptNodes(path, [whole]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('takes the place of the one before as a whole', async () => {
    await writeKeptNodes(path, many(3));
    // What an agent leaves that is killed while it writes.
    writeFileSync(`${path}.new`, 'half a li');
    expect((await readKeptNodes(path))?.nodes).toEqual(many(3));
    await writeKeptNodes(path, many(2));
    expect((await readKeptNodes(path))?.nodes).toEqual(many(2));
    expect(readdirSync(folder)).toEqual(['agent.sock.c.nodes']);
  });

  test.each([1, 2, 100, 5000])('is refused where its last %i bytes are missing', async (bytes) => {
    await writeKeptNodes(path, many(300));
    truncateSync(path, statSync(path).size - bytes);
    await expect(readKeptNodes(path)).rejects.toThrow('expected 300 nodes, got ');
  });

  const head = '{"form":"meshprobe-nodes-1","nodes":1}';
  const node = (change: object) => `${head}\n${JSON.stringify({ ...whole, ...change })}\n`;
  test.each([
    ['', 'expected a number of nodes, got 0'],
    ['\0\0\0\n', 'expected a node list of the form meshprobe-nodes-1, got'],
    ['{"form":"meshprobe-nodes-9","nodes":1}\n', 'of the form meshprobe-nodes-1, got'],
    ['{"form":"meshprobe-nodes-1","nodes":1e9}\n', 'of the form meshprobe-nodes-1, got'],
    [`${head}\n[1]\n`, 'expected a node, got'],
    [`${head}\n${JSON.stringify(whole)}\n${JSON.stringify(whole)}\n`, 'expected each node once'],
    [node({}) + JSON.stringify({ ...whole, name: 'c/z' }) + '\n', 'expected 1 nodes, got more'],
    [node({ name: 'a' }), 'with a good name'],
    [node({ name: 'c/\u001b[31m' }), 'with a good name'],
    [node({ host: ['224.0.0.1'] }), 'with a good host.0'],
    [node({ host: ['2001:DB8::1'] }), 'with a good host.0'],
    [node({ host: Array(129).fill('198.51.100.1') }), 'with a good host'],
    [node({ endpoint: 'x' }), 'with a good endpoint'],
    [node({ lifecycle: { phase: 'dead' } }), 'with a good lifecycle.phase'],
    [node({ lifecycle: { phase: 'leaving', reason: 'a\nb' } }), 'with a good lifecycle.reason'],
    [node({ lifecycle: { phase: 'leaving', reason: 'a'.repeat(1025) } }), 'lifecycle.reason'],
    [node({ condition: { name: 'x' } }), 'with a good condition.name'],
    [node({ zone: 'a b' }), 'with a good zone'],
    [node({ lost: [{ ip: '198.51.100.9', holder: 'b' }] }), 'with a good lost.0.holder'],
    [node({ __proto__: null, more: 1 }), 'expected a node, got'],
    [`${head}\n${' '.repeat(270_000)}\n`, 'bytes, got more'],
  ])('is refused with what is wrong in it: %#', async (text, words) => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    await expect(readKeptNodes(path)).rejects.toThrow(words);
  });

  test('is refused where it is larger than any list', async () => {
    await writeKeptNodes(path, [whole]);
    truncateSync(path, (32 << 20) + 1);
    await expect(readKeptNodes(path)).rejects.toThrow('expected at most 33554432 bytes');
  });

  test('is no link, and no folder', async () => {
    await writeKeptNodes(`${path}2`, [whole]);
    symlinkSync(`${path}2`, path);
    await expect(readKeptNodes(path)).rejects.toThrow('it is a link');
    rmSync(path);
    mkdirSync(path);
    await expect(readKeptNodes(path)).rejects.toThrow('it is no regular file');
  });

  test('is neither read nor written where others may write', async () => {
    await writeKeptNodes(path, [whole]);
    chmodSync(path, 0o660);
    await expect(readKeptNodes(path)).rejects.toThrow('the right to write, got mode 0660');
    chmodSync(path, 0o600);
    chmodSync(folder, 0o777);
    const words = `${folder}: expected nobody else to have the right to write, got mode 0777`;
    await expect(readKeptNodes(path)).rejects.toThrow(words);
    await expect(writeKeptNodes(path, [])).rejects.toThrow(words);
    expect(readFileSync(path, 'utf8')).toContain('c/a');
  });
});
