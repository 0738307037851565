import { describe } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import { testFault, testHealthy } from './lib/fault-test.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';

// One fault of each family, here those of one host. Those between hosts are in diagnosis-paths.test.ts, the
// other faults in diagnosis.long.test.ts.
describe('six hosts in three zones, whose agents have default settings', () => {
  const mesh = useMesh({ hosts: 6, family: 4, zones: threeZones, settings: defaults });

  testHealthy(mesh);
  testFault(mesh, {
    title: 'a host that is unplugged is node-down for the others, and node-isolated for itself',
    fault: kinds.unplugged('n2'),
  });
  testFault(mesh, {
    title: 'a host whose agent is frozen is agent-down',
    fault: kinds.agentFrozen('n4'),
  });
  testFault(mesh, {
    title: 'a host that drops echoes is icmp-filtered',
    fault: kinds.echoesDropped('n3'),
  });
});
