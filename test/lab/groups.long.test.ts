import { describe, expect, test } from 'vitest';
import { Random } from '../fuzz/random.js';
import * as kinds from './lib/fault-kinds.js';
import type { Finding } from '../../api/schema/v1/findings.js';
import type { Host } from './lib/plan.js';
import { lackOf, nothing, waitForFindings } from './lib/findings.js';
import { testHealthy } from './lib/fault-test.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { waitUntilSettled } from './lib/wait-until-settled.js';

const seed = Number(process.env['LAB_SEED'] ?? 1);
const rounds = Number(process.env['LAB_ROUNDS'] ?? 3);

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

// LAB_ROUNDS=20 LAB_SEED=100 runs twenty rounds from that seed on.
describe('twelve hosts with three labels across three zones', () => {
  const mesh = useMesh({ hosts: 12, family: 4, zones: threeZones, labelsOf, settings: defaults });

  testHealthy(mesh);

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
});

/** A loaded machine starves agents, and they say so. */
function aboutPaths(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ kind }) => kind !== 'observers-missing');
}

function nothingElse(host: Host, findings: readonly Finding[]): string | undefined {
  return nothing(host, aboutPaths(findings));
}
