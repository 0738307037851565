import { expect, test } from 'vitest';
import { protocols, timeout } from '../../../../agent/model/sample.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const nodes = Array.from({ length: 12 }, (_, at) => ({
  name: `c/n${at}`,
  host: [`10.0.0.${at}`],
  endpoint: [`10.1.0.${at}`],
}));
const dead = 'c/n11';

test('a finding about a node that is listed no more closes as no longer watched, and not as mended', () => {
  const { clock, store, peers, cluster, paths: all } = createSimulatedCluster(nodes);
  const run = (untilS: number, paths = all) => {
    for (let second = clock.nowMs() / 1000 + 1; second <= untilS; second++) {
      clock.runUntil(1000 * second);
      for (const path of paths) {
        const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
        const reply = { outcome: 'reply', rttNs: 1e5 } as const;
        const sample = path.node === dead && second > 5 ? timeout : reply;
        for (const protocol of protocols) store.record(path, protocol, { ...sample, ...times });
      }
      // Others see the same.
      const { row } = peers.ownRowOf(0);
      for (let at = 1; at < 11; at++)
        peers.observers.keep({ ...row, observer: `c/n${at}` }, `p.${second}`, 0, clock.nowMs());
    }
  };
  run(20);
  const kept = nodes.filter(({ name }) => name !== dead);
  const changes = store.setNodes(kept);
  peers.update(kept, changes);
  void cluster.onNodeList(kept);
  run(
    30,
    all.filter(({ node }) => node !== dead),
  );
  const told = cluster.events
    .after(0, 100)
    .events.filter(({ type }) => type === 'finding')
    .map(({ json }): unknown => JSON.parse(json));
  cluster.stop();
  expect(told).toMatchObject([
    { change: 'opened', node: dead },
    { change: 'closed', node: dead, reason: 'no longer watched' },
  ]);
});
