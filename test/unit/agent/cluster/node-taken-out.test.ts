import { expect, test } from 'vitest';
import { timeout } from '../../../../agent/model/sample.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

const nodes = numberedNodes(12);
const dead = 'c/n11';

test('a finding about a node that is listed no more closes as no longer watched, and not as mended', () => {
  const { cluster, list, run, tellTheSame } = createSimulatedCluster(nodes);
  const runUntil = (untilS: number) =>
    run(
      untilS,
      ({ node }, _, second) => (node === dead && second > 5 ? timeout : reply),
      (second) => tellTheSame(1, 11, second),
    );
  runUntil(20);
  list(nodes.filter(({ name }) => name !== dead));
  runUntil(30);
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
