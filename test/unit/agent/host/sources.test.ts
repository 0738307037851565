import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HostSign } from '../../../../agent/model/row-host.js';
import type { CountMeasure, Measure } from '../../../../agent/host/measure.js';
import { readKernelFile } from '../../../../agent/host/read-file.js';
import { hostSources } from '../../../../agent/host/sources.js';
import { conntrackDrops } from '../../../../agent/host/sources/conntrack.js';
import { groupedCounters, netstatSource } from '../../../../agent/host/sources/netstat.js';
import { softnetSource } from '../../../../agent/host/sources/softnet.js';
import { pressureShare } from '../../../../agent/host/sources/pressure.js';
import { linksSource } from '../../../../agent/host/sources/links.js';
import { interfaceCounts, interfacesSource } from '../../../../agent/host/sources/interfaces.js';
import { SignJudge } from '../../../../agent/host/sign-judge.js';
import { newFolder } from '../../../resources/folder.js';
import { kernelFiles } from './kernel-files.js';

const ownMac = '02:00:00:00:00:01';
const kernels = ['5.4', '5.15', '6.18'];

/** A folder as the kernel shows it, with these files. */
async function procOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, 'latin1');
  }
  return folder;
}

async function readAll(folder: string, watched: readonly string[] = ['eth0'], mac = ownMac) {
  const sources = hostSources({
    proc: join(folder, 'proc'),
    sys: join(folder, 'sys'),
    interfaces: () => new Map(watched.map((name) => [name, mac])),
  });
  const read = (await Promise.all(sources.map((source) => source.read()))).flat();
  return read.map((measure): Measure => ('parts' in measure ? withoutParts(measure) : measure));
}

/** Of which counters a sum is has a test of its own. */
function withoutParts({ sign, about, count, of }: CountMeasure): Measure {
  return { sign, about, count, ...(of !== undefined && { of }) };
}

const counted = (sign: HostSign, count: number, about = '') => ({ sign, about, count });

describe.each(kernels)('the files of kernel %s', (kernel) => {
  test('are read by the names of their columns', async () => {
    const limited = kernel === '6.18' ? [counted('icmp-limited', 2 + 7)] : [];
    expect(await readAll(kernelFiles(kernel))).toEqual([
      { sign: 'conntrack-full', about: '', value: 1203, limit: 262_144 },
      counted('conntrack-drops', 0x12 + 0x5),
      { sign: 'neighbours-full', about: 'ipv4', value: 30, limit: 1024 },
      counted('softnet-drops', 0x1f + 2),
      counted('interface-errors', 7 + 2, 'eth0'),
      counted('interface-drops', 11 + 4, 'eth0'),
      counted('carrier-flaps', 3, 'eth0'),
      counted('listen-overflows', 33),
      counted('udp-buffer-drops', 21 + 1),
      counted('fragment-failures', 5 + 4),
      ...limited,
      { ...counted('tcp-retransmissions', 410), of: 90_210 },
      { sign: 'cpu-pressure', about: '', value: 84, limit: 100 },
      { sign: 'memory-pressure', about: '', value: 11, limit: 100 },
      { ...counted('cpu-throttled', 60), of: 700 },
    ]);
  });

  test('of another network namespace, whose interface has the same name, are left out', async () => {
    const signs = (await readAll(kernelFiles(kernel), ['eth0'], '02:00:00:00:00:02')).map(
      ({ sign }) => sign,
    );
    expect(signs).toContain('interface-errors');
    expect(signs).not.toContain('carrier-flaps');
  });
});

test('the speed of a link is told beside the highest that it had, also after it was down', async () => {
  const proc = await procOf({});
  const sys = join(proc, 'sys');
  const watched = new Map([['eth0', ownMac]]);
  const source = linksSource(sys, () => watched);
  const speed = async (text: string, mac = ownMac) => {
    const files = { address: `${mac}\n`, speed: text };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(sys, 'class/net/eth0'), { recursive: true });
      await writeFile(join(sys, 'class/net/eth0', name), content);
    }
    return (await source.read()).map((measure) => 'highest' in measure && measure);
  };
  const told = (value: number, highest: number) => [
    { sign: 'link-speed', about: 'eth0', value, highest },
  ];
  expect(await speed('10000\n')).toEqual(told(10_000, 10_000));
  // What the kernel says of a link that is down, or of which it does not know the speed.
  for (const none of ['-1\n', '', '0\n', '65535\n', '4294967295\n'])
    expect(await speed(none)).toEqual([]);
  expect(await speed('1000\n')).toEqual(told(1000, 10_000));
  watched.set('eth0', '02:00:00:00:00:02');
  expect(await speed('1000\n')).toEqual([]);
  // Another card has that name now.
  expect(await speed('1000\n', '02:00:00:00:00:02')).toEqual(told(1000, 1000));
  watched.delete('eth0');
  expect(await speed('1000\n')).toEqual([]);
  watched.set('eth0', ownMac);
  expect(await speed('1000\n')).toEqual(told(1000, 1000));
});

test.each([
  ['another card has it and has counted more: no', '02:00:00:00:00:02', []],
  ['the same card counts on: yes', ownMac, ['carrier-flaps', 'interface-errors']],
])('counters of a name grow where %s', async (_, mac, expected) => {
  const dev = (errors: number) => `eth0: 1 1 ${errors} 0 0 0 0 0 1 1 0 0 0 0 0 0\n`;
  const folder = await procOf({ 'proc/net/dev': dev(2) });
  const watched = new Map([['eth0', ownMac]]);
  const [proc, sys] = [join(folder, 'proc'), join(folder, 'sys')];
  const link = join(sys, 'class/net/eth0');
  await mkdir(link, { recursive: true });
  const sources = [interfacesSource(proc, () => watched), linksSource(sys, () => watched)];
  const judge = new SignJudge();
  const readAt = async (atMs: number, address: string, count: number) => {
    watched.set('eth0', address);
    await writeFile(join(link, 'address'), `${address}\n`);
    await writeFile(join(link, 'carrier_changes'), `${count}\n`);
    await writeFile(join(proc, 'net/dev'), dev(count));
    judge.note((await Promise.all(sources.map((source) => source.read()))).flat(), atMs);
  };
  for (let atMs = 0; atMs <= 60_000; atMs += 10_000) await readAt(atMs, ownMac, 2);
  await readAt(70_000, mac, 40);
  expect(judge.signs.map(({ sign }) => sign).sort()).toEqual(expected);
});

test('a sum says of which counters it is', async () => {
  const udp = (buffer: number) => `Udp: InDatagrams RcvbufErrors\nUdp: 7 ${buffer}\n`;
  const line = (cpu: number) => `1 2 ${'0 '.repeat(10)}${cpu} 0 0\n`;
  const partsOf = async (files: Readonly<Record<string, string>>) => {
    const proc = join(await procOf(files), 'proc');
    const sources = [netstatSource(proc), softnetSource(proc)];
    return (await Promise.all(sources.map((source) => source.read())))
      .flat()
      .map((measure) => [measure.sign, 'parts' in measure ? measure.parts : undefined]);
  };
  const snmp = { 'proc/net/snmp': udp(5) };
  expect(await partsOf(snmp)).toEqual([['udp-buffer-drops', '0']]);
  expect(await partsOf({ ...snmp, 'proc/net/snmp6': 'Udp6RcvbufErrors 9\n' })).toEqual([
    ['udp-buffer-drops', '0,1'],
  ]);
  expect(await partsOf({ 'proc/net/softnet_stat': line(0) + line(3) })).toEqual([
    ['softnet-drops', '0,3'],
  ]);
});

test('what is not there gives no figure', async () => {
  expect(await readAll(await procOf({}))).toEqual([]);
});

test('of interfaces only those are told that are watched', async () => {
  expect(await readAll(kernelFiles('6.18'), ['eth1'])).not.toContainEqual(
    expect.objectContaining({ about: 'eth0' }),
  );
});

const files = [
  ...['nf_conntrack_count', 'nf_conntrack_max'].map((name) => `proc/sys/net/netfilter/${name}`),
  ...['ipv4', 'ipv6'].map((name) => `proc/sys/net/${name}/neigh/default/gc_thresh3`),
  ...['nf_conntrack', 'arp_cache', 'ndisc_cache'].map((name) => `proc/net/stat/${name}`),
  ...['dev', 'snmp', 'snmp6', 'netstat', 'softnet_stat'].map((name) => `proc/net/${name}`),
  ...['proc/pressure/cpu', 'proc/pressure/memory', 'proc/self/cgroup', 'sys/fs/cgroup/cpu.stat'],
  ...['address', 'carrier_changes', 'speed'].map((name) => `sys/class/net/eth0/${name}`),
];

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
  const names = Object.fromEntries(files.map((name) => [name, text]));
  const proc = await procOf(names);
  expect(await readAll(proc)).toEqual([]);
});

describe('a table of processors', () => {
  test('is summed up over all of them', () => {
    expect(conntrackDrops('entries drop insert_failed\n1 a 1\n1 2 3\n')).toBe(10 + 2);
  });

  test.each([
    ['without the columns', 'entries found\n00000001 00000002\n'],
    ['without a processor', 'entries drop insert_failed\n'],
    ['with a line that is cut off', 'entries drop insert_failed\n1 2 3\n1\n'],
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

describe('pairs of lines', () => {
  test.each([
    ['without their values', 'Tcp: OutSegs RetransSegs\n'],
    ['with fewer values than names', 'Tcp: OutSegs RetransSegs\nTcp: 5\n'],
    ['of two groups', 'Tcp: OutSegs RetransSegs\nUdp: 5 6\n'],
  ])('%s are left out', (_, text) => {
    expect([...groupedCounters(text)]).toEqual([]);
  });

  test('with a value that is none keep the others', () => {
    expect(groupedCounters('Tcp: MaxConn OutSegs\nTcp: -1 7\n').get('Tcp')).toEqual(
      new Map([['OutSegs', 7]]),
    );
  });
});

test.each(['some avg60=101.00', 'some avg10=1.00 avg60=-1.00', 'some avg60=9', 'full avg60=1.00'])(
  'a pressure such as %s is no share',
  (text) => {
    expect(pressureShare(text, 'some')).toBeUndefined();
  },
);

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
