import { expect, test } from 'vitest';
import { protocols, type Sample } from '../../../../agent/model/sample.js';
import { noFamily } from '../../../../agent/model/system-error.js';
import { perChannel } from '../../../../agent/model/channel.js';
import { verdictOf } from '../../../../agent/reports/v1/verdict.js';
import { wellRow } from '../exchange/lib/rows.js';
import { createSimulatedCluster } from './simulated-cluster.js';

test('an active IPv6 node among hosts without IPv6 is known to nobody, so not all is well', () => {
  const names = ['c/n0', 'c/n1', 'c/n2', 'c/n3', 'c/n4'];
  const nodes = names.map((name, at) => {
    if (name === 'c/n1') return { name, host: ['fd00::1'], endpoint: ['fd00:1::1'] };
    return { name, host: [`10.0.0.${at}`], endpoint: [`10.1.0.${at}`] };
  });
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  const unknown = (['host', 'endpoint'] as const).flatMap((plane) =>
    protocols.map((protocol) => ({ plane, protocol })),
  );
  for (let second = 1; second <= 20; second++) {
    clock.runUntil(1000 * second);
    for (const path of paths) {
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      const sample: Sample =
        path.node === 'c/n1'
          ? { ...noFamily, ...times }
          : { outcome: 'reply', rttNs: 1e5, ...times };
      for (const protocol of protocols) store.record(path, protocol, sample);
    }
    for (const observer of names.slice(2)) {
      const row = {
        ...wellRow(observer),
        counts: perChannel(() => ({ reachable: 3, unreachable: 0, unknown: 1, degraded: 0 })),
        paths: unknown.map((of) => ({
          ...of,
          node: 'c/n1',
          state: 'unknown' as const,
          ageSeconds: second,
        })),
      };
      peers.observers.keep(row, `p.${second}`, 0, clock.nowMs());
    }
  }
  const { verdict, reason } = verdictOf(cluster.state());
  cluster.stop();
  expect({ verdict, reason }).toEqual({
    verdict: 'unknown',
    reason:
      'no agent knows whether the host plane of c/n1 works: probes could not be sent (this host lacks that address family)',
  });
});
