import { expect, test } from 'vitest';
import { noFamily } from '../../../../agent/model/system-error.js';
import { channels, perChannel } from '../../../../agent/model/channel.js';
import { verdictOf } from '../../../../agent/reports/v1/verdict.js';
import { wellRow } from '../exchange/lib/rows.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

test('an active IPv6 node among hosts without IPv6 is known to nobody, so not all is well', () => {
  const nodes = numberedNodes(5).map((node) =>
    node.name === 'c/n1' ? { ...node, host: ['fd00::1'], endpoint: ['fd00:1::1'] } : node,
  );
  const { clock, peers, cluster, run } = createSimulatedCluster(nodes);
  const tell = (second: number) => {
    const unknown = { node: 'c/n1', state: 'unknown', ageSeconds: second } as const;
    for (const { name } of nodes.slice(2)) {
      const row = {
        ...wellRow(name),
        counts: perChannel(() => ({ reachable: 3, unreachable: 0, unknown: 1, degraded: 0 })),
        paths: channels.map((of) => ({ ...of, ...unknown })),
      };
      peers.observers.keep(row, `p.${second}`, 0, clock.nowMs());
    }
  };
  run(20, ({ node }) => (node === 'c/n1' ? noFamily : reply), tell);
  const { verdict, reason } = verdictOf(cluster.state());
  cluster.stop();
  expect({ verdict, reason }).toEqual({
    verdict: 'unknown',
    reason:
      'no agent knows whether the host plane of c/n1 works: probes could not be sent (this host lacks that address family)',
  });
});
