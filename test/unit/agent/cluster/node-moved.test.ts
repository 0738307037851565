import { expect, test } from 'vitest';
import { timeout } from '../../../../agent/model/sample.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

const nodes = numberedNodes(12);
const moved = 'c/n11';
const there = nodes.map((node) =>
  node.name === moved ? { ...node, host: ['10.0.9.9'], endpoint: ['10.1.9.9'] } : node,
);

const isOld = (ip: string) => ip.endsWith('.11');

/** A cluster in which addresses are dead from 5 s on. Others tell every five seconds what they see. */
function world(isDead = isOld) {
  const { cluster, list, run, tellTheSame } = createSimulatedCluster(nodes);
  const toldUntil = (untilS: number) => {
    run(
      untilS,
      ({ ip }, _, second) => (second > 5 && isDead(ip) ? timeout : reply),
      (second) => {
        if (second % 5 === 0) tellTheSame(1, 11, second);
      },
    );
    return cluster.overview().findings.map(({ text }) => text);
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
