import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { breakService, cutDnsOf, cutDnsOfPods, provideServices } from './lib/cluster-services.js';
import type { LabFault } from './lib/fault-kinds.js';
import { testFault, testHealthy } from './lib/fault-test.js';
import { together } from './lib/faults.js';
import { useMesh } from './lib/mesh.js';
import { twelveHosts } from './lib/meshes.js';
import { missingFor } from './lib/requirements.js';

const hasDns = spawnSync('dnsmasq', ['--version']).status === 0;
const missing =
  missingFor(4) ?? (hasDns ? undefined : 'the DNS server needs dnsmasq (package dnsmasq-base)');

describe('what pods use, on twelve hosts in three zones at default settings', () => {
  const mesh = useMesh(
    {
      ...twelveHosts().options,
      async prepare(lab) {
        const { targetsFile, stop } = await provideServices(lab);
        return { settings: { 'targets-file': targetsFile }, stop };
      },
    },
    missing,
  );

  testHealthy(mesh);

  const faults: Readonly<Record<string, LabFault>> = {
    'the service is broken on one host': {
      what: 'the service is broken on n5',
      make: ({ lab }) => breakService(lab.host('n5')),
      expected: { kind: 'target-unreachable', target: 'service', node: 'n5' },
    },
    'the service is broken in one zone': {
      what: 'the service is broken in zone-b',
      make: async ({ lab }) =>
        together(
          await Promise.all(
            lab.hosts.filter(({ zone }) => zone === 'zone-b').map((host) => breakService(host)),
          ),
        ),
      expected: { kind: 'target-unreachable', target: 'service', zones: ['zone-b'] },
    },
    'the service is broken everywhere': {
      what: 'the service is broken everywhere',
      make: async ({ lab }) =>
        together(await Promise.all(lab.hosts.map((host) => breakService(host)))),
      expected: { kind: 'target-down', target: 'service' },
    },
    'DNS is cut for pods only': {
      what: 'DNS is cut for pods',
      make: ({ lab }) => cutDnsOfPods(lab.hosts),
      expected: { kind: 'target-down', target: 'cluster-dns', plane: 'endpoint' },
    },
    'DNS is cut on one host only': {
      what: 'DNS is cut on n8',
      make: ({ lab }) => cutDnsOf(lab.host('n8')),
      expected: { kind: 'target-unreachable', target: 'cluster-dns', node: 'n8' },
    },
  };
  for (const [title, fault] of Object.entries(faults)) testFault(mesh, { title, fault });
});
