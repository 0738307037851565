import { expect, test } from 'vitest';
import { protocols, timeout } from '../../../../agent/model/sample.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const nodes = Array.from({ length: 12 }, (_, at) => ({
  name: `c/n${at}`,
  host: [`10.0.0.${at}`],
  endpoint: [`10.1.0.${at}`],
}));
const moved = 'c/n11';
const there = nodes.map((node) =>
  node.name === moved ? { ...node, host: ['10.0.9.9'], endpoint: ['10.1.9.9'] } : node,
);

const isOld = (ip: string) => ip.endsWith('.11');

/** A cluster in which addresses are dead from 5 s on. Others tell every five seconds what they see. */
function world(isDead = isOld) {
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  let all = paths;
  const toldUntil = (untilS: number) => {
    for (let second = clock.nowMs() / 1000 + 1; second <= untilS; second++) {
      clock.runUntil(1000 * second);
      for (const path of all) {
        const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
        const reply = { outcome: 'reply', rttNs: 1e5 } as const;
        const sample = second > 5 && isDead(path.ip) ? timeout : reply;
        for (const protocol of protocols) store.record(path, protocol, { ...sample, ...times });
      }
      if (second % 5 !== 0) continue;
      // Others see the same.
      const { row } = peers.ownRowOf(0);
      for (let at = 1; at < 11; at++)
        peers.observers.keep({ ...row, observer: `c/n${at}` }, `p.${second}`, 0, clock.nowMs());
    }
    return cluster.allFindings().map(({ text }) => text);
  };
  const list = (listed: typeof nodes) => {
    const changes = store.setNodes(listed);
    peers.update(listed, changes);
    void cluster.onNodeList(listed);
    all = [...all.filter((path) => !changes.removed.includes(path)), ...changes.added];
  };
  return { cluster, list, toldUntil };
}

test('a node that is reached at its new address is not said to be down there', () => {
  const { cluster, list, toldUntil } = world();
  expect(toldUntil(21)).toHaveLength(1);
  list(there);
  // The rows of others from 20 s tell of the old address.
  expect(toldUntil(22)).toEqual([]);
  expect(toldUntil(40)).toEqual([]);
  cluster.stop();
});

test('what is told of the other plane still counts', () => {
  const { cluster, list, toldUntil } = world();
  toldUntil(21);
  list(there.map((node, at) => ({ ...node, host: nodes[at]?.host ?? [] })));
  expect(toldUntil(22)).toEqual([
    'none of 11 nodes can reach c/n11 (10.0.0.11) at node IPs, and nothing has been heard from it since',
  ]);
  cluster.stop();
});

test('a new address that is dead too is told, by rows that came since', () => {
  const { cluster, list, toldUntil } = world((ip) => isOld(ip) || ip.endsWith('.9.9'));
  toldUntil(21);
  list(there);
  expect(toldUntil(30)).toEqual([
    'none of 11 nodes can reach c/n11 (10.0.9.9) at all, and nothing has been heard from it since',
  ]);
  cluster.stop();
});
