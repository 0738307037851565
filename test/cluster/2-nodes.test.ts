import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { brief, findingsOf, secondsSince, untilFindings, without } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { untilNodesAreReady, untilRolledOut } from './lib/install.js';
import { setLink } from './lib/network.js';
import { bootNode, removeNode, switchOff } from './lib/node.js';
import { conditionOf, eventsAbout, untilAnswer, untilCondition } from './lib/objects.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// Nodes that are cut off, end, boot, and are replaced.

beforeAll(() => prepare());

const uncordon = async () => {
  await kubectl(['uncordon', 'node4']);
};
const isReady = async (name: string) => (await conditionOf(name, 'Ready'))?.status;
/** Targets are behind what broke; which of them fail, is chance: CoreDNS may have been on that node. */
const nodeFindings = (found: readonly string[]) => found.filter((one) => !one.startsWith('target'));

describe('a node whose link is down', () => {
  test('is named before Kubernetes calls it NotReady, and is well again once it is up', async () => {
    const [, , node3] = nodes;
    if (!node3) throw new Error('expected four nodes');
    const others = without(nodes, node3);
    onTestFinished(() => setLink(node3, 'up'));
    await setLink(node3, 'down');
    const startedMs = performance.now();
    await untilFindings(others, (found) => nodeFindings(found).join() === 'node-down node3');
    tried('link of a node down: three agents say node-down', secondsSince(startedMs));
    await untilCondition('node3', 'False', 'NodeDown');
    tried('link of a node down: condition False', secondsSince(startedMs));
    expect(await isReady('node3')).toBe('True');
    await untilAnswer(
      () => eventsAbout('node3'),
      (reasons) => reasons.includes('NodeDown'),
    );
    tried('link of a node down: Event', secondsSince(startedMs));
    await untilAnswer(
      () => isReady('node3'),
      (status) => status !== 'True',
    );
    tried('link of a node down: Kubernetes says NotReady', secondsSince(startedMs));
    await setLink(node3, 'up');
    const backMs = performance.now();
    await untilWell();
    tried('link up again: four agents find nothing', secondsSince(backMs));
    await untilCondition('node3', 'True', 'NoFinding');
    tried('link up again: condition True', secondsSince(backMs));
  });
});

describe('a node that is rebooted', () => {
  test('is down, and then well', async () => {
    const node2 = node(2);
    await switchOff(node2);
    const startedMs = performance.now();
    await untilFindings(
      without(nodes, node2),
      (found) => nodeFindings(found).join() === 'node-down node2',
    );
    tried('node switched off: three agents say node-down', secondsSince(startedMs));
    await bootNode(node2);
    const bootedMs = performance.now();
    await untilWell();
    tried('node booted: four agents find nothing', secondsSince(bootedMs));
    await untilCondition('node2', 'True');
    tried('node booted: condition True', secondsSince(bootedMs));
  });
});

describe('a node that is drained', () => {
  test('stays a node to probe, and nothing is found', async () => {
    onTestFinished(uncordon);
    await kubectl(['drain', 'node4', '--ignore-daemonsets', '--delete-emptydir-data']);
    await untilAnswer(
      () => Promise.all(nodes.map(findingsOf)),
      (all) => all.flat().length === 0,
    );
    await untilWell();
    await uncordon();
    expect(await conditionOf('node4', 'MeshprobeNetworkHealthy')).toMatchObject({ status: 'True' });
  });

  test('and then switched off, is not found', async () => {
    onTestFinished(uncordon);
    await kubectl(['drain', 'node4', '--ignore-daemonsets', '--delete-emptydir-data']);
    await switchOff(node(4));
    // The others must have noticed that it is not Ready, which is the time in which a finding would have come.
    await untilAnswer(
      () => isReady('node4'),
      (status) => status !== 'True',
    );
    const others = without(nodes, node(4));
    const said = await Promise.all(others.map(async (one) => (await findingsOf(one)).map(brief)));
    expect(said.flat()).toEqual([]);
    await bootNode(node(4));
    await uncordon();
    await untilWell();
  });
});

describe('a node that is new', () => {
  test('gets its condition, is forgotten when it is deleted, and is another one under the same name', async () => {
    const node5 = node(5);
    const all = [...nodes, node5];
    onTestFinished(async () => {
      await kubectl(['delete', 'node', 'node5', '--ignore-not-found']);
      await removeNode(node5);
    });
    const startedMs = performance.now();
    await bootNode(node5);
    await untilNodesAreReady(5);
    tried('a fifth node boots: Kubernetes says Ready', secondsSince(startedMs));
    await untilWell(all);
    tried('a fifth node boots: five agents find nothing', secondsSince(startedMs));
    await untilCondition('node5', 'True', 'PeersReached');
    tried('a fifth node boots: condition True', secondsSince(startedMs));

    await kubectl(['delete', 'node', 'node5']);
    await removeNode(node5);
    await untilWell();
    await bootNode(node5);
    const againMs = performance.now();
    await untilWell(all);
    await untilCondition('node5', 'True', 'PeersReached');
    tried('node replaced under the same name: condition True', secondsSince(againMs));
    await kubectl(['delete', 'node', 'node5']);
    await removeNode(node5);
    await untilWell();
    await untilRolledOut();
  });
});
