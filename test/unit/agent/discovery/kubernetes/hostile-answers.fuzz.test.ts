import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { ApiReader } from '../../../../../agent/discovery/kubernetes/api-client.js';
import {
  KubernetesApiError,
  InvalidResponseError,
} from '../../../../../agent/discovery/kubernetes/kubernetes-api-error.js';
import {
  projectCiliumNode,
  projectPod,
} from '../../../../../agent/discovery/kubernetes/endpoint-projection.js';
import { joinNodes } from '../../../../../agent/discovery/kubernetes/join-nodes.js';
import { noSpread } from '../../../../../agent/discovery/kubernetes/list-watch-timings.js';
import { KubernetesSource } from '../../../../../agent/discovery/kubernetes/kubernetes-source.js';
import { ListReader } from '../../../../../agent/discovery/kubernetes/list-reader.js';
import { createNodeProjection } from '../../../../../agent/discovery/kubernetes/node-projection.js';
import { readEvent } from '../../../../../agent/discovery/kubernetes/watch-event.js';
import type { Node } from '../../../../../agent/model/node.js';
import { ciliumNodeObject, nodeObject, podObject } from '../../../../doubles/api-server/objects.js';
import { createRandom, mutateBytes, mutateValue } from '../../../../fuzz/mutations.js';
import { fuzzScale } from '../../../../fuzz/scale.js';

const rounds = fuzzScale(500);

const nodes = [1, 2, 3].map((index) =>
  nodeObject(`n${index}`, { internal: [`198.51.100.${index}`], uid: `uid-${index}` }),
);
const listOf = (items: readonly unknown[]) => ({ metadata: { resourceVersion: '7' }, items });
const list = Buffer.from(JSON.stringify(listOf(nodes)));
const event = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object: nodes[0] })}\n`);

function readList(bytes: Buffer): unknown[] {
  const items: unknown[] = [];
  const reader = new ListReader((item) => items.push(item));
  reader.push(bytes);
  reader.end();
  return items;
}

test('no list that was cut off is taken for a list', () => {
  expect(readList(list)).toHaveLength(3);
  for (let length = 0; length < list.length; length++) {
    expect(() => readList(list.subarray(0, length))).toThrow(InvalidResponseError);
  }
});

test('a mutilated list is read or refused, and nothing else', () => {
  const random = createRandom(1);
  for (let round = 0; round < rounds; round++) {
    try {
      readList(mutateBytes(list, random));
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidResponseError);
    }
  }
});

test('a mutilated event is read or refused, and nothing else', () => {
  const random = createRandom(2);
  for (let round = 0; round < rounds; round++) {
    try {
      readEvent(mutateBytes(event, random).toString());
    } catch (error) {
      expect(error instanceof InvalidResponseError || error instanceof KubernetesApiError).toBe(
        true,
      );
    }
  }
});

test('odd objects project to something sound or to nothing', () => {
  const random = createRandom(3);
  const projectNode = createNodeProjection();
  const options = { clusterName: 'c', gracePeriods: { joinMs: 1, leaveMs: 1 }, now: 0 };
  const pod = podObject('p', { node: 'n1', ips: ['10.244.0.1', 'fd00::1'] });
  const cilium = ciliumNodeObject('n1', { ipv4: '10.0.0.1', ipv6: 'fd00::2' });
  for (let round = 0; round < rounds; round++) {
    const node = projectNode(mutateValue(nodes[0], random));
    const endpoints = [
      projectPod(mutateValue(pod, random)),
      projectCiliumNode(mutateValue(cilium, random)),
    ].filter((endpoint) => endpoint !== undefined);
    const joined = joinNodes(node ? [node] : [], endpoints, options);
    for (const { name, host, endpoint, lifecycle } of joined.nodes) {
      expect(name).toMatch(/^c\/[\w.-]+$/);
      for (const ip of [...host, ...endpoint]) expect(ip).toMatch(/^[0-9a-f.:]+$/);
      expect(JSON.stringify(lifecycle)).toMatch(/^[\x20-\x7e]{1,200}$/);
    }
  }
});

test('no known node is lost, whatever the server answers', async () => {
  const random = createRandom(4);
  const broken = Buffer.from('{"type":"MODIFIED","object":{"metadata":{"name":');
  let asked = 0;
  const client: ApiReader = {
    get(path) {
      asked++;
      if (!path.startsWith('/api/v1/nodes')) return Promise.resolve(bodyOf(listOf([])));
      if (asked < 3) return Promise.resolve(bodyOf(listOf(nodes)));
      if (random(3) === 0) return Promise.reject(new KubernetesApiError('no', 200 + random(400)));
      // None of these answers is a whole list, so none of them may be believed.
      const noise = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
      const start = [list.subarray(0, random(list.length)), broken, noise][random(3)] ?? noise;
      return Promise.resolve(streamOf([start, noise.subarray(0, random(20))]));
    },
    close: () => undefined,
  };
  const lists: (readonly Node[])[] = [];
  const source = new KubernetesSource({
    clusterName: 'c',
    client,
    endpoints: { kind: 'ciliumnodes' },
    report: () => undefined,
    timings: { debounceMs: 0, listWatch: { sleep: () => breathe(), spread: noSpread } },
  });
  await source.start((emitted) => lists.push(emitted));
  await vi.waitFor(() => expect(asked).toBeGreaterThan(rounds), 20_000);
  source.stop();
  expect(lists).toHaveLength(1);
  expect(lists[0]?.map(({ name }) => name)).toEqual(['c/n1', 'c/n2', 'c/n3']);
});

function bodyOf(value: unknown): AsyncIterable<Buffer> {
  return streamOf([Buffer.from(JSON.stringify(value))]);
}

async function* streamOf(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield await Promise.resolve(part);
}
