import { describe } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import { testFault } from './lib/fault-test.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';

// One fault of each family that lies between hosts. Its own hosts and agents let it run beside diagnosis.test.ts.
describe('six other hosts in three zones, whose agents have default settings', () => {
  const mesh = useMesh({ hosts: 6, family: 4, zones: threeZones, settings: defaults });

  testFault(mesh, {
    title: 'a host whose overlay is cut is endpoint-plane, both ways',
    fault: kinds.overlayCut('n1'),
  });
  testFault(mesh, {
    title: 'two zones that are cut from each other are named',
    fault: kinds.zonesCut('zone-a', 'zone-b'),
  });
  testFault(mesh, {
    title: 'two hosts are a pair if one has no route to the other',
    fault: kinds.routeRefused('n3', 'n5'),
  });
});
