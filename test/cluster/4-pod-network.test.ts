import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ip } from '../lab/lib/command.js';
import { findingsOf, secondsSince, untilFindings, without } from './lib/agents.js';
import { untilCondition } from './lib/objects.js';
import { control, fabric } from './lib/place.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// The network of pods, and packets that are too large for it.

beforeAll(() => prepare());

const node3 = node(3);
const others = without(nodes, node3);

describe('the routes to the pods of a node', () => {
  test('are missing on all others: its pod network is named', async () => {
    const elsewhere = [control, ...others.map((other) => other.namespace)];
    const change = async (what: string) => {
      for (const one of elsewhere) await ip(one, [`route ${what}`]);
    };
    onTestFinished(async () => {
      await change(`replace ${node3.podCidr} via ${node3.address}`);
      const startedMs = performance.now();
      await untilWell();
      tried('routes back: four agents find nothing', secondsSince(startedMs));
      await untilCondition('node3', 'True');
    });
    await change(`del ${node3.podCidr} via ${node3.address}`);
    const startedMs = performance.now();
    await untilFindings(others, (found) => found.includes('endpoint-plane node3 endpoint'));
    tried("routes to a node's pods gone: three agents say endpoint-plane", secondsSince(startedMs));
    await untilCondition('node3', 'False', 'EndpointPlane');
    tried("routes to a node's pods gone: condition False", secondsSince(startedMs));
  });
});

describe('the link of a node that loses large packets', () => {
  test('is named, with the direction and the size', async () => {
    // A packet that a driver cuts later passes the bridge whole, so no host may leave that to it.
    const cutting = async (segments: number) => {
      for (const { namespace: one } of nodes) {
        await ip(one, [`link set eth0 gso_max_segs ${segments}`]);
      }
    };
    onTestFinished(async () => {
      await ip(fabric, ['link set node3 mtu 1500']);
      await cutting(65_535);
      await untilWell();
    });
    await cutting(1);
    await ip(fabric, ['link set node3 mtu 1400']);
    const startedMs = performance.now();
    await untilFindings(
      others,
      (found) => found.some((one) => one.startsWith('mtu node3')),
      300_000,
    );
    tried(
      'the switch port of a node takes 1400 bytes: three agents say mtu',
      secondsSince(startedMs),
    );
    const finding = (await findingsOf(node(1))).find(({ kind }) => kind === 'mtu');
    expect(finding).toMatchObject({ node: 'default/node3' });
  });
});
