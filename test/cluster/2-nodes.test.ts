import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { secondsSince, untilFindings, without } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { untilNodesAreReady } from './lib/install.js';
import { setLink } from './lib/network.js';
import { bootNode, removeNode, switchOff } from './lib/node.js';
import { conditionOf, eventsAbout, untilAnswer, untilCondition } from './lib/objects.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';
import { watchWhile } from './lib/watch.js';

// Nodes that are cut off, end, boot, and are replaced.

beforeAll(() => prepare());

const isReady = async (name: string) => (await conditionOf(name, 'Ready'))?.status;
/** Targets are behind what broke; which of them fail, is chance: CoreDNS may have been on that node. */
const nodeFindings = (found: readonly string[]) => found.filter((one) => !one.startsWith('target'));
/** What a machine that has too little processor time for four nodes brings is not about the node. */
const isOfANode = (said: string) => !/^(target-\S+|slow|lossy):/.test(said);

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
    let isOn = true;
    onTestFinished(async () => {
      if (!isOn) await bootNode(node2);
      await untilWell();
    });
    await switchOff(node2);
    isOn = false;
    const startedMs = performance.now();
    await untilFindings(
      without(nodes, node2),
      (found) => nodeFindings(found).join() === 'node-down node2',
    );
    tried('a node switched off: three agents say node-down', secondsSince(startedMs));
    await untilCondition('node2', 'False', 'NodeDown');
    tried('a node switched off: condition False', secondsSince(startedMs));
    await bootNode(node2);
    isOn = true;
    const bootedMs = performance.now();
    await untilWell();
    tried('the node booted: four agents find nothing', secondsSince(bootedMs));
    await untilCondition('node2', 'True', 'NoFinding');
    tried('the node booted: condition True', secondsSince(bootedMs));
  });
});

describe('a node that is drained', () => {
  test('is no finding, nor is it when it is switched off then, and it is well when it is back', async () => {
    const node4 = node(4);
    let isOn = true;
    onTestFinished(async () => {
      if (!isOn) await bootNode(node4);
      await kubectl(['uncordon', 'node4']);
      await untilWell();
    });
    const drained = await watchWhile(nodes, async () => {
      await kubectl(['drain', 'node4', '--ignore-daemonsets', '--delete-emptydir-data']);
      await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deploy/coredns']);
      await untilWell();
    });
    expect(drained.said.filter(isOfANode)).toEqual([]);
    expect(await conditionOf('node4', 'MeshprobeNetworkHealthy')).toMatchObject({ status: 'True' });

    const others = without(nodes, node4);
    const offMs = performance.now();
    const off = await watchWhile(others, async () => {
      await switchOff(node4);
      isOn = false;
      // A finding would have come long before Kubernetes calls it NotReady.
      await untilAnswer(
        () => isReady('node4'),
        (status) => status !== 'True',
      );
    });
    expect(off.said.filter(isOfANode)).toEqual([]);
    tried(
      'a node drained, then switched off: no finding about it until Kubernetes says NotReady',
      secondsSince(offMs),
      `${drained.looks + off.looks} answers`,
    );
    await bootNode(node4);
    isOn = true;
    await kubectl(['uncordon', 'node4']);
    const bootedMs = performance.now();
    await untilWell();
    await untilCondition('node4', 'True');
    tried('the node booted and uncordoned: condition True', secondsSince(bootedMs));
  });
});

describe('a node that is new', () => {
  test('gets its condition, is forgotten when it is deleted, and is another one under the same name', async () => {
    const node5 = node(5);
    const all = [...nodes, node5];
    const forget = async () => {
      await kubectl(['delete', 'node', 'node5', '--ignore-not-found']);
      await removeNode(node5);
    };
    onTestFinished(async () => {
      await forget();
      await untilWell();
    });
    const startedMs = performance.now();
    await bootNode(node5);
    await untilNodesAreReady(5);
    tried('a fifth node boots: Kubernetes says Ready', secondsSince(startedMs));
    await untilWell(all);
    tried('a fifth node boots: five agents find nothing', secondsSince(startedMs));
    await untilCondition('node5', 'True', 'PeersReached');
    tried('a fifth node boots: condition True', secondsSince(startedMs));

    const deleted = await watchWhile(nodes, async () => {
      await forget();
      await untilWell();
    });
    expect(deleted.said.filter(isOfANode)).toEqual([]);
    await bootNode(node5);
    const againMs = performance.now();
    await untilWell(all);
    await untilCondition('node5', 'True', 'PeersReached');
    tried('a node replaced under the same name: condition True', secondsSince(againMs));
  });
});
