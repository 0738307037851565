import { expect, test } from 'vitest';
import type { Plane } from '../../../../agent/model/path.js';
import { protocols, timeout, type Protocol } from '../../../../agent/model/sample.js';
import { createSimulatedCluster } from './simulated-cluster.js';

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
  const nodes = Array.from({ length: 600 }, (_, index) => {
    const address = `${index >> 8}.${index & 255}`;
    return { name: `c/n${index}`, host: [`10.0.${address}`], endpoint: [`10.1.${address}`] };
  });
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  for (let second = 1; second <= 40; second++) {
    clock.runUntil(1000 * second);
    for (const path of paths) {
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      const fault = faults[Math.floor((Number(path.node.slice(3)) - 1) / perKind)];
      for (const protocol of protocols) {
        const fails = second > 5 && fault?.(path.plane, protocol) === true;
        const reply = { outcome: 'reply', rttNs: 1e5 } as const;
        store.record(path, protocol, { ...(fails ? timeout : reply), ...times });
      }
    }
    if (second % 4 !== 0) continue;
    // Others see the same.
    const { row } = peers.ownRowOf(0);
    for (let at = 200; at < 212; at++) {
      peers.observers.keep({ ...row, observer: `c/n${at}` }, `p.${second}`, 0, clock.nowMs());
    }
  }
  const told = cluster.overview().findings;
  const all = cluster.allFindings();
  cluster.stop();
  expect(told).toHaveLength(64);
  expect(all.slice(0, 64)).toEqual(told);
  expect(new Set(all.map(({ node }) => node)).size).toBe(faults.length * perKind);
});
