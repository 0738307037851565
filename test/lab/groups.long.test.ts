import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createClient, type Client } from '../../api/client/client.js';
import { Random } from '../fuzz/random.js';
import * as kinds from './lib/fault-kinds.js';
import type { Finding } from '../../api/schema/v1/findings.js';
import { runIn } from './lib/command.js';
import type { Host } from './lib/plan.js';
import { lackOf, nothing, waitForFindings } from './lib/findings.js';
import { testHealthy } from './lib/fault-test.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { waitUntilSettled } from './lib/wait-until-settled.js';

const seed = Number(process.env['LAB_SEED'] ?? 1);
const rounds = Number(process.env['LAB_ROUNDS'] ?? 1);
const wellMinutes = Number(process.env['LAB_WELL_MINUTES'] ?? 0.5);

const newKernel = [2, 6, 7, 12];
/** They cut across zones, which take hosts in turn. The image of the operating system brings the kernel. */
const labelsOf = (number: number) => ({
  rack: `r${(number - 1) % 4}`,
  kernel: newKernel.includes(number) ? '6.8.0-45' : '6.8.0-31',
  os: newKernel.includes(number) ? 'Debian 13' : 'Debian 12',
});
const hosts = Array.from({ length: 12 }, (_, at) => ({
  name: `n${at + 1}`,
  labels: labelsOf(at + 1),
}));

const groups = [
  ...[0, 1, 2, 3].map((rack) => ({ label: 'rack', value: `r${rack}` })),
  { label: 'kernel', value: '6.8.0-45', like: ['os=Debian 13'] },
];
const faultsOfHosts = [
  { of: kinds.echoesDropped, words: 'do not answer ping' },
  { of: kinds.overlayCut, words: 'do not answer at their endpoints, nor are they answered' },
  { of: kinds.probePortDropped, words: 'do not answer at port 4240' },
];

/** What may change on a host, and what it says of that. */
const changes = [
  {
    command: (to: '0' | '2') => `echo ${to} > /proc/sys/net/ipv4/conf/all/rp_filter`,
    words: /^net\.ipv4\.conf\.all\.rp_filter changed from \d to 2$/,
    toMake: '2',
    toRepair: '0',
  },
  {
    command: (how: 'add' | 'del') => `ip address ${how} 192.0.2.77/32 dev eth0`,
    words: /^addresses of eth0 changed from \S+ to .*\b192\.0\.2\.77\/32/,
    toMake: 'add',
    toRepair: 'del',
  },
] as const;

// LAB_ROUNDS=20 LAB_SEED=100 runs twenty rounds from that seed on, LAB_WELL_MINUTES=60 looks at a well mesh for an hour.
describe('twelve hosts with three labels across three zones', () => {
  const mesh = useMesh({ hosts: 12, family: 4, zones: threeZones, labelsOf, settings: defaults });

  testHealthy(mesh);

  test(
    `none names a group, a sign or a change in ${60 * wellMinutes} seconds in which all is well`,
    async () => {
      await waitUntilSettled(mesh());
      const before = new Map<Host, number>();
      for (const host of mesh().lab.hosts) before.set(host, (await openedOn(host)).length);
      await delay(60_000 * wellMinutes);
      for (const [host, count] of before) {
        const opened = (await openedOn(host)).slice(count);
        if (opened.length > 0) console.log(`${host.name}: ${opened.join('; ')}`);
        expect(opened.filter((words) => /^(group|host-sign):/.test(words))).toEqual([]);
      }
    },
    60_000 * wellMinutes + 300_000,
  );

  for (let at = seed; at < seed + rounds; at++) {
    const random = new Random(at);
    for (let skip = 0; skip < 3; skip++) random.next();
    const { of, words } = random.pick(faultsOfHosts);
    const group = random.pick(groups);
    const fault = kinds.ofGroup(hosts, group, of);
    test(`seed ${at}: all agents say of ${group.label}=${group.value} that they ${words}`, async () => {
      const { agents, lab } = mesh();
      await waitForFindings(agents, lab.hosts, nothingElse, 180_000);
      await waitUntilSettled(mesh());
      const repair = await mesh().make(fault);
      const begin = `the ${fault.expected.group?.nodes} nodes with ${group.label} ${group.value}`;
      const found = await waitForFindings(
        agents,
        lab.hosts,
        (_, findings) => {
          const [first, ...others] = aboutPaths(findings);
          return (
            lackOf(first, fault.expected) ??
            notMade(first, []) ??
            (others.length > 0 ? 'expected no other finding' : undefined) ??
            (first?.text.startsWith(begin) && first.text.includes(` and no other ${words}`)
              ? undefined
              : `expected ${begin} and no other ${words}, got ${first?.text}`)
          );
        },
        180_000,
      ).finally(repair);
      const seconds = [...found.values()].map((ms) => (ms / 1000).toFixed(1));
      console.log(`seed ${at}: group found after ${seconds.join(', ')} s`);
      expect(found.size).toBe(lab.hosts.length);
      await waitForFindings(agents, lab.hosts, nothingElse, 240_000);
    }, 1_000_000);
  }

  for (let at = seed; at < seed + rounds; at++) {
    const random = new Random(1000 + at);
    for (let skip = 0; skip < 3; skip++) random.next();
    const change = random.pick(changes);
    const { name } = random.pick(hosts);
    test(`seed ${at}: all agents say what changed on ${name} before its trouble, and nothing else`, async () => {
      const { agents, lab } = mesh();
      const host = lab.host(name);
      await waitForFindings(agents, lab.hosts, nothingElse, 240_000);
      await waitUntilSettled(mesh());
      await runIn(host.namespace, ['sh', '-ec', change.command(change.toMake as never)]);
      try {
        const changesOf = async (by: Host) =>
          ((await clientOf(by).node(name)).changes ?? []).map(({ text }) => text);
        for (const by of lab.hosts) {
          await expect
            .poll(() => changesOf(by), { timeout: 90_000, interval: 500, message: by.name })
            .toContainEqual(expect.stringMatching(change.words));
        }
        const fault = kinds.echoesDropped(name);
        const repair = await mesh().make(fault);
        await waitForFindings(
          agents,
          lab.hosts,
          (_, findings) => {
            const [first, ...others] = aboutPaths(findings);
            return (
              lackOf(first, fault.expected) ??
              notMade(first, [change.words]) ??
              (others.length > 0 ? 'expected no other finding' : undefined)
            );
          },
          180_000,
        ).finally(repair);
      } finally {
        await runIn(host.namespace, ['sh', '-ec', change.command(change.toRepair as never)]);
      }
      await waitForFindings(agents, lab.hosts, nothingElse, 240_000);
    }, 1_000_000);
  }

  function clientOf(host: Host): Client {
    const address = { kind: 'unix', path: mesh().agents.socketPath(host) } as const;
    return createClient({ address, timeoutMs: 30_000 });
  }

  /** The findings that an agent opened since it started: the kind, what it is about, and the sentence. */
  async function openedOn(host: Host): Promise<string[]> {
    const opened: string[] = [];
    const events = clientOf(host).events({ after: 0, follow: false, types: ['finding'] });
    for await (const { event } of events) {
      if (event?.type === 'finding' && event.change === 'opened')
        opened.push(`${event.kind}: ${event.text}`);
    }
    return opened;
  }
});

/** What is wrong with the signs and changes beside a finding: only these changes were made, and no sign. */
function notMade(finding: Finding | undefined, made: readonly RegExp[]): string | undefined {
  // The machine that all hosts share may have too few processors.
  const signs = (finding?.signs ?? []).filter(({ sign }) => sign !== 'cpu-pressure');
  if (signs.length > 0) return `expected no sign, got ${signs.map(({ text }) => text).join(', ')}`;
  const told = (finding?.changes ?? []).map(({ text }) => text);
  const missing = made.find((words) => !told.some((text) => words.test(text)));
  if (missing) return `expected the change ${missing}, got ${told.join(', ') || 'none'}`;
  const others = told.filter(
    (text) => !(made.length > 0 && everMade.some((one) => one.test(text))),
  );
  return others.length > 0 ? `expected no other change, got ${others.join(', ')}` : undefined;
}

/** What this file does to a host: its agent has started, and a round before may have repaired what it changed. */
const everMade = [
  /^the agent /,
  /^net\.ipv4\.conf\.all\.rp_filter changed /,
  /^addresses of eth0 changed /,
];

/** A loaded machine starves agents, and they say so. */
function aboutPaths(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ kind }) => kind !== 'observers-missing');
}

function nothingElse(host: Host, findings: readonly Finding[]): string | undefined {
  return nothing(host, aboutPaths(findings));
}
