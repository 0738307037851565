import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readKernelFile } from '../../../../agent/host/read-file.js';
import { hostSources } from '../../../../agent/host/sources.js';
import { conntrackDrops } from '../../../../agent/host/sources/conntrack.js';
import { interfaceCounts } from '../../../../agent/host/sources/interfaces.js';

const fixtures = join(import.meta.dirname, '../../../fixtures/host');
const kernels = ['5.4', '5.15', '6.18'];

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A folder as the kernel shows it, with these files. */
async function procOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meshprobe-proc-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, 'latin1');
  }
  return folder;
}

async function readAll(proc: string, interfaces: readonly string[] = ['eth0']) {
  const sources = hostSources({ proc, interfaces: () => new Set(interfaces) });
  return (await Promise.all(sources.map((source) => source.read()))).flat();
}

describe.each(kernels)('the files of kernel %s', (kernel) => {
  test('are read by the names of their columns', async () => {
    const measures = await readAll(join(fixtures, kernel, 'proc'));
    expect(measures).toEqual(
      expect.arrayContaining([
        { sign: 'conntrack-full', about: '', value: 1203, limit: 262_144 },
        { sign: 'conntrack-drops', about: '', count: 0x12 + 0x3 + 0x5 },
        { sign: 'interface-errors', about: 'eth0', count: 7 + 2 },
        { sign: 'interface-drops', about: 'eth0', count: 11 + 4 },
      ]),
    );
  });
});

test('what is not there gives no figure', async () => {
  expect(await readAll(await procOf({}))).toEqual([]);
});

test('of interfaces only those are told that are watched', async () => {
  expect(await readAll(join(fixtures, '6.18/proc'), ['eth1'])).not.toContainEqual(
    expect.objectContaining({ about: 'eth0' }),
  );
});

const hostile = {
  empty: '',
  'a NUL': '\0',
  'a negative figure': '-1\n',
  words: 'none\n',
  'too many digits': `${'9'.repeat(40)}\n`,
  'half a line': 'entries drop insert_failed\n00000001',
  huge: '7'.repeat(300_000),
};

test.each(Object.entries(hostile))('%s in every file gives no figure', async (_, text) => {
  const proc = await procOf({
    'sys/net/netfilter/nf_conntrack_count': text,
    'sys/net/netfilter/nf_conntrack_max': text,
    'net/stat/nf_conntrack': text,
    'net/dev': text,
  });
  expect(await readAll(proc)).toEqual([]);
});

describe('a table of processors', () => {
  test('is summed up over all of them', () => {
    expect(conntrackDrops('entries drop insert_failed\n1 a 1\n1 2 3\n')).toBe(10 + 1 + 2 + 3);
  });

  test.each([
    ['without the columns', 'entries found\n00000001 00000002\n'],
    ['without a processor', 'entries drop insert_failed\n'],
    ['with a line that is cut off', 'entries drop insert_failed\n1 2 3\n1 2\n'],
    ['with a negative figure', 'entries drop insert_failed\n1 -2 3\n'],
  ])('%s gives no figure', (_, text) => {
    expect(conntrackDrops(text)).toBeUndefined();
  });
});

describe('the lines of interfaces', () => {
  const figures = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16';

  test('are read where a figure stands right after the name, and where the name has a colon', () => {
    expect(interfaceCounts(`eth0:${figures}\n eth0:1: ${figures}\n`)).toEqual([
      { name: 'eth0', errors: 14, drops: 16 },
      { name: 'eth0:1', errors: 14, drops: 16 },
    ]);
  });

  test.each([
    ['with a name that hides text', `e\u0007th: ${figures}`],
    ['with too few figures', 'eth0: 1 2 3'],
    ['with a negative figure', `eth0: ${figures.replace('3', '-3')}`],
  ])('%s are left out', (_, text) => {
    expect(interfaceCounts(text)).toEqual([]);
  });
});

describe('a file of the kernel', () => {
  test('is read whole up to the limit, and not at all beyond it', async () => {
    const proc = await procOf({ small: 'x'.repeat(20_000), large: 'x'.repeat(20_001) });
    expect(await readKernelFile(join(proc, 'small'), 20_000)).toHaveLength(20_000);
    expect(await readKernelFile(join(proc, 'large'), 20_000)).toBeUndefined();
  });

  test('that is a folder, or not there, is no text', async () => {
    const proc = await procOf({});
    expect(await readKernelFile(proc)).toBeUndefined();
    expect(await readKernelFile(join(proc, 'none'))).toBeUndefined();
  });
});
