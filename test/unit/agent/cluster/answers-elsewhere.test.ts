import { expect, test } from 'vitest';
import { timeout, type Protocol } from '../../../../agent/model/sample.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

const nodes = numberedNodes(12).map((node, at) => ({
  ...node,
  host: [...node.host, `fd00::${at}`],
}));

/** What is told of a cluster whose addresses are dead from 5 s on. Others see the same. */
function told(isDead: (ip: string, protocol: Protocol) => boolean): string[] {
  const { cluster, run, tellTheSame } = createSimulatedCluster(nodes);
  run(
    30,
    ({ ip }, protocol, second) => (second > 5 && isDead(ip, protocol) ? timeout : reply),
    (second) => tellTheSame(1, 11, second),
  );
  cluster.stop();
  return cluster.overview().findings.map(({ text }) => text);
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
