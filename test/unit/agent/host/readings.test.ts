import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostFacts } from '../../../../agent/host/facts.js';
import { HostMonitor } from '../../../../agent/host/host-monitor.js';
import type { HostSource } from '../../../../agent/host/measure.js';
import { newFolder } from '../../../resources/folder.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

test('a reading that hangs holds up no other one, and is said', async () => {
  const clock = new VirtualClock();
  let entries = 262_144;
  const table: HostSource = {
    signs: ['conntrack-full'],
    files: '/proc/a',
    read: () =>
      Promise.resolve([{ sign: 'conntrack-full', about: '', value: entries, limit: 262_144 }]),
  };
  let reads = 0;
  const hanging: HostSource = {
    signs: ['link-speed'],
    files: '/sys/b',
    read() {
      reads++;
      return new Promise(() => undefined);
    },
  };
  const monitor = new HostMonitor({
    clock,
    plane: 'host',
    sources: [table, hanging],
    facts: [],
    onNews: () => undefined,
  });
  const pass = async (ms: number): Promise<void> => {
    for (const untilMs = clock.nowMs() + ms; clock.nowMs() < untilMs;) {
      clock.runUntil(clock.nowMs() + 1000);
      await new Promise(setImmediate);
    }
  };
  monitor.start();
  await pass(60_000);
  expect(monitor.signs().map(({ sign }) => sign)).toEqual(['conntrack-full']);
  expect(monitor.missing()).toEqual([
    { signs: ['link-speed'], files: '/sys/b', because: 'the kernel did not answer' },
  ]);
  entries = 100;
  await pass(120_000);
  expect(monitor.signs()).toEqual([]);
  expect(reads).toBe(1);
  monitor.stop();
});

test('the default route is read though the host has thousands of others', async () => {
  const proc = newFolder();
  mkdirSync(join(proc, 'net'));
  const line = (destination: string, mask: string) =>
    `eth0\t${destination}\t010200C0\t0003\t0\t0\t0\t${mask}\t0\t0\t0`.padEnd(127);
  const others = Array.from({ length: 5000 }, () => line('000A0A0A', '00FFFFFF'));
  const lines = [
    'Iface\tDestination\tGateway'.padEnd(127),
    line('00000000', '00000000'),
    ...others,
  ];
  writeFileSync(join(proc, 'net/route'), lines.join('\n'));
  const facts = hostFacts({ proc, sys: proc, etc: proc, interfaces: () => new Map() });
  const read = await Promise.all(facts.map((one) => one()));
  expect(read.flatMap((some) => some ?? [])).toEqual([
    { change: 'route', about: 'default-route', value: '192.0.2.1 by eth0' },
  ]);
});

test('of an interface that is not listed, as one without a carrier, no address is known', async () => {
  const facts = hostFacts({
    proc: '/nowhere',
    sys: '/nowhere',
    etc: '/nowhere',
    interfaces: () => new Map([['no-such-device', '02:00:00:00:00:01']]),
  });
  const read = await Promise.all(facts.map((one) => one()));
  expect(read.flatMap((some) => some ?? [])).toEqual([]);
});
