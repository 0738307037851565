import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ip } from '../lab/lib/command.js';
import { findingsOf, secondsSince, untilFindings, without } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { namespace } from './lib/install.js';
import { pods, untilAnswer, untilCondition, warnings } from './lib/objects.js';
import { control, fabric } from './lib/place.js';
import { endpointProcess, takeMemory } from './lib/pod-processes.js';
import { crash } from './lib/restarts.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// The network of pods, packets that are too large for it, and the pods that meshprobe has on it.

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

describe('the endpoint pod of a node', () => {
  test('is evicted: the next one has another address, and nothing is left of a finding', async () => {
    const [pod] = await pods('node4', 'endpoint');
    const { name = '' } = pod?.metadata ?? {};
    const startedMs = performance.now();
    await kubectl(
      ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '-f', '-'],
      JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }),
    );
    await untilAnswer(
      async () => (await pods('node4', 'endpoint')).map(({ metadata }) => metadata.name),
      (names) => names.length === 1 && names[0] !== name,
    );
    await untilWell();
    tried('an endpoint evicted: four agents find nothing again', secondsSince(startedMs));
  });

  test('is ended for want of memory, and comes back', async () => {
    const node2 = node(2);
    const startedMs = performance.now();
    const reason = await crash(node2, 'endpoint', () => takeMemory(endpointProcess(node2)));
    expect([undefined, 'OOMKilled']).toContain(reason);
    await untilWell();
    tried(
      'an endpoint ended for want of memory: four agents find nothing again',
      secondsSince(startedMs),
    );
  });

  test('crashes again and again: it is named until it stays', async () => {
    const end = new AbortController();
    const crashing = (async () => {
      while (!end.signal.aborted) {
        killEndpoint();
        await delay(500);
      }
    })();
    onTestFinished(async () => {
      end.abort();
      await crashing;
      await untilWell();
    });
    const startedMs = performance.now();
    await untilFindings(others, (found) => found.includes('endpoint-down node3 endpoint'));
    tried(
      'an endpoint that crashes again and again: three agents say endpoint-down',
      secondsSince(startedMs),
    );
    await untilCondition('node3', 'Unknown', 'EndpointDown');
    tried('an endpoint that crashes again and again: condition Unknown', secondsSince(startedMs));
    await untilAnswer(warnings, (all) => all.some((text) => text.includes('BackOff')));
  });
});

function killEndpoint(): void {
  try {
    process.kill(endpointProcess(node3), 'SIGKILL');
  } catch {
    // It does not run at this moment.
  }
}
