import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { secondsSince, untilFindings, without } from './lib/agents.js';
import { setLink } from './lib/network.js';
import { conditionOf, eventsAbout, untilAnswer, untilCondition } from './lib/objects.js';
import { nodes, prepare, tried, untilWell } from './lib/trials.js';

// Nodes that are cut off.

beforeAll(() => prepare());

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
