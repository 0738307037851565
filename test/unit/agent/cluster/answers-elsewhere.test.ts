import { expect, test } from 'vitest';
import { protocols, timeout, type Protocol } from '../../../../agent/model/sample.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const nodes = Array.from({ length: 12 }, (_, at) => ({
  name: `c/n${at}`,
  host: [`10.0.0.${at}`, `fd00::${at}`],
  endpoint: [`10.1.0.${at}`],
}));

/** What is told of a cluster whose addresses are dead from 5 s on. Others see the same. */
function told(isDead: (ip: string, protocol: Protocol) => boolean): string[] {
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  for (let second = 1; second <= 30; second++) {
    clock.runUntil(1000 * second);
    for (const path of paths) {
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      const reply = { outcome: 'reply', rttNs: 1e5 } as const;
      for (const protocol of protocols) {
        const sample = second > 5 && isDead(path.ip, protocol) ? timeout : reply;
        store.record(path, protocol, { ...sample, ...times });
      }
    }
    const { row } = peers.ownRowOf(0);
    for (let at = 1; at < 11; at++)
      peers.observers.keep({ ...row, observer: `c/n${at}` }, `p.${second}`, 0, clock.nowMs());
  }
  cluster.stop();
  return cluster.allFindings().map(({ text }) => text);
}

test('a node that lost its first addresses and answers at another one is not said to be reached nowhere', () => {
  const lost = told((ip) => ip.endsWith('.11'));
  expect(lost).toEqual([
    'none of 11 nodes can reach c/n11 (10.0.0.11), and nothing has been heard from it since; c/n0 reaches it at fd00::11',
  ]);
});

test('an agent that is down is not reached by echoes to another address', () => {
  const [text] = told((ip, protocol) => /[.:]11$/.test(ip) && protocol === 'http');
  expect(text).toMatch(/^none of 11 nodes can reach the agent of c\/n11 /);
  expect(text).not.toContain('fd00::11');
});

test('a node that answers at no address is', () => {
  const down = told((ip) => ip.endsWith('.11') || ip.endsWith(':11'));
  expect(down).toEqual([
    'none of 11 nodes can reach c/n11 (10.0.0.11) at all, and nothing has been heard from it since',
  ]);
});
