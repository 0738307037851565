import type { Settings } from './agents.js';
import type { LabOptions } from './lab.js';
import { planLab } from './plan.js';
import type { MeshOptions } from './start-mesh.js';

/** Hosts are assigned to these in turn: n1 and n4 are in zone-a, n2 and n5 in zone-b. */
export const threeZones = ['zone-a', 'zone-b', 'zone-c'];

/** The settings of an agent of a small cluster that is given none. */
export const defaults: Settings = {
  'icmp-interval': '1s',
  'http-interval': '5s',
  'probe-timeout': '1s',
};

/** Five times the default rate, for what takes many probes. */
export const frequent: Settings = {
  'icmp-interval': '200ms',
  'http-interval': '1s',
  'probe-timeout': '500ms',
};

/** Twelve hosts in three zones, whose agents have default settings: the mesh, and the hosts that faults are chosen of. */
export function twelveHosts(labelsOf?: NonNullable<LabOptions['labelsOf']>) {
  const options: MeshOptions = {
    hosts: 12,
    family: 4,
    zones: threeZones,
    settings: defaults,
    ...(labelsOf && { labelsOf }),
  };
  const { hosts } = planLab('', options.hosts, options.family, threeZones, labelsOf);
  return { hosts, options };
}
