import { expect, test } from 'vitest';
import type { Plane } from '../../../../agent/model/path.js';
import { timeout, type Protocol } from '../../../../agent/model/sample.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

/** What fails of a node, so that it has a finding of its own; fourteen of each kind are not folded. */
const faults: readonly ((plane: Plane, protocol: Protocol) => boolean)[] = [
  () => true,
  (plane, protocol) => plane === 'host' && protocol === 'http',
  (plane, protocol) => plane === 'endpoint' && protocol === 'http',
  (plane) => plane === 'host',
  (plane) => plane === 'endpoint',
  (_, protocol) => protocol === 'icmp',
];
const perKind = 14;

test('all findings are more than the 64 that are told', () => {
  const { cluster, run, tellTheSame } = createSimulatedCluster(numberedNodes(600));
  run(
    40,
    ({ node, plane }, protocol, second) => {
      const fault = faults[Math.floor((Number(node.slice(3)) - 1) / perKind)];
      return second > 5 && fault?.(plane, protocol) === true ? timeout : reply;
    },
    (second) => {
      if (second % 4 === 0) tellTheSame(200, 212, second);
    },
  );
  const told = cluster.overview().findings;
  const all = cluster.allFindings();
  cluster.stop();
  expect(told).toHaveLength(64);
  expect(all.slice(0, 64)).toEqual(told);
  expect(new Set(all.map(({ node }) => node)).size).toBe(faults.length * perKind);
});
