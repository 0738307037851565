import { expect, test } from 'vitest';
import { Cluster } from '../../../../agent/cluster/cluster.js';
import type { Plane } from '../../../../agent/model/path.js';
import { protocols, timeout, type Protocol } from '../../../../agent/model/sample.js';
import { Peers } from '../../../../agent/peers/peers.js';
import { ResultStore } from '../../../../agent/results/result-store.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

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
  const clock = new VirtualClock();
  const each = { failures: 3, recovery: 2 };
  const store = new ResultStore({ thresholds: { icmp: each, http: each }, clock });
  const own = { version: '1.2.3', httpIntervalMs: 5000, httpTimeoutMs: 1000 };
  const peers = new Peers({
    localName: 'c/n0',
    clock,
    paths: store,
    isMeshOn: true,
    head: () => ({ ...own, ready: true, starved: false }),
  });
  const cluster = new Cluster({
    localName: 'c/n0',
    clusterName: 'c',
    probePort: 4240,
    namespace: undefined,
    clock,
    store,
    observers: peers,
    isSwept: () => true,
    askForRows: () => undefined,
  });
  const nodes = Array.from({ length: 600 }, (_, index) => {
    const address = `${index >> 8}.${index & 255}`;
    return { name: `c/n${index}`, host: [`10.0.${address}`], endpoint: [`10.1.${address}`] };
  });
  const changes = store.setNodes(nodes);
  peers.update(nodes, changes);
  void cluster.onNodeList(nodes);
  for (let second = 1; second <= 40; second++) {
    clock.runUntil(1000 * second);
    for (const path of changes.added) {
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
