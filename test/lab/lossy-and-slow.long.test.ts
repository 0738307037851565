import { describe } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import { testFault, testHealthy } from './lib/fault-test.js';
import { frequent, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { missingForQueues } from './lib/requirements.js';

const deadlineMs = 400_000;

// These findings need many answers, or rows that become stale. At the default intervals they take
// minutes.
describe('six hosts in three zones, whose agents probe often', () => {
  const mesh = useMesh({ hosts: 6, family: 4, zones: threeZones, settings: frequent });

  testHealthy(mesh);
  testFault(mesh, {
    title: 'a host whose agent sends no row is named by observers-missing',
    fault: kinds.rowMissing('n6'),
  });
  testFault(mesh, {
    title: 'a host whose packets wait in a queue is slow',
    fault: kinds.delayed('n5', 20),
    deadlineMs,
    missing: missingForQueues(),
  });
  testFault(mesh, {
    title: 'a host that loses some packets is lossy',
    fault: kinds.losing('n2', 4),
    deadlineMs,
    staysOpen: true,
  });
});
