import { describe } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import { testFault, testHealthy } from './lib/fault-test.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';

// n1 and n4 are in zone-a, n2 and n5 in zone-b, n3 and n6 in zone-c.
describe('six hosts in three zones, whose agents have default settings', () => {
  const mesh = useMesh({ hosts: 6, family: 4, zones: threeZones, settings: defaults });

  testHealthy(mesh);
  testFault(mesh, {
    title: 'a host that drops all requests is node-isolated, inbound, if its own requests work',
    fault: kinds.requestsDropped('n3'),
  });
  testFault(mesh, {
    title: 'a host whose endpoint has a frozen responder is endpoint-down',
    fault: kinds.endpointFrozen('n5'),
  });
  testFault(mesh, {
    title: 'a host whose node IP is filtered is host-plane',
    fault: kinds.nodeIpCut('n6'),
  });
  testFault(mesh, {
    title: 'hosts that all drop echoes are one icmp-filtered without a node',
    fault: kinds.allEchoesDropped,
  });
  testFault(mesh, {
    title: 'a host that drops the probe port is http-filtered',
    fault: kinds.probePortDropped('n4'),
  });
  testFault(mesh, {
    title: 'hosts that all drop the probe port are http-filtered, as each of them says',
    fault: kinds.allProbePortsDropped,
  });
  testFault(mesh, {
    title: 'a zone that is cut from all others is named alone',
    fault: kinds.zoneCutOff('zone-c'),
  });
  testFault(mesh, {
    title: 'two hosts are a pair if one drops the packets of the other',
    fault: kinds.packetsDropped('n1', 'n2'),
  });
});
