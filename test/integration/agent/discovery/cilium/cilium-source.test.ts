import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCiliumSource } from '../../../../../agent/discovery/cilium/cilium-source.js';
import { readNodeChanges } from '../../../../../agent/discovery/cilium/node-changes.js';
import type { Node } from '../../../../../agent/model/node.js';
import type { NodeSource } from '../../../../../agent/discovery/node-source.js';
import type { SourceState } from '../../../../../agent/discovery/source-state.js';
import { CiliumAgent, nodeElement } from '../../../../doubles/cilium-agent.js';
import { createRandom, mutateBytes, mutateValue } from '../../../../fuzz/mutations.js';
import { newFolder } from '../../../../resources/folder.js';

let folder: string;
let socketPath: string;
let agent: CiliumAgent;
let source: NodeSource;
let lists: (readonly Node[])[];
let states: SourceState[];

async function start(answerMs = 2000): Promise<void> {
  source = createCiliumSource({
    socketPath,
    clusterName: 'own',
    report: (state) => states.push(state),
    pollMs: 10,
    answerMs,
    emptyGraceMs: 200,
  });
  await source.start((nodes) => lists.push(nodes));
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });
const names = () => lists.at(-1)?.map(({ name }) => name);
const untilNames = (...expected: string[]) => until(() => expect(names()).toEqual(expected));

beforeEach(async () => {
  folder = newFolder();
  socketPath = join(folder, 'cilium.sock');
  agent = new CiliumAgent();
  await agent.start(socketPath);
  [lists, states] = [[], []];
  agent.put(nodeElement('cluster1/a', '198.51.100.1'));
  agent.put(nodeElement('b', '198.51.100.2'));
});
afterEach(async () => {
  source.stop();
  await agent.stop();
});

describe('a Cilium agent as a node source', () => {
  test('gives all nodes, then what changes, under one client id', async () => {
    const secondary = [{ ip: '203.0.113.1' }, { ip: 'no address' }, { ip: '2001:DB8::1' }];
    agent.put(nodeElement('cluster1/a', '198.51.100.1', { 'secondary-addresses': secondary }));
    await start();
    await untilNames('cluster1/a', 'own/b');
    expect(lists[0]?.[0]).toEqual({
      name: 'cluster1/a',
      host: ['198.51.100.1', '203.0.113.1', '2001:db8::1'],
      endpoint: ['10.0.0.1'],
    });
    agent.put(nodeElement('cluster2/c', '198.51.100.3'));
    await untilNames('cluster1/a', 'cluster2/c', 'own/b');
    agent.put(nodeElement('b', '198.51.100.4'));
    await until(() => expect(lists.at(-1)?.at(-1)?.host).toEqual(['198.51.100.4']));
    agent.remove('cluster2/c');
    await untilNames('cluster1/a', 'own/b');
    expect(agent.asked[0]).toBe(0n);
    expect(new Set(agent.asked.slice(1))).toEqual(new Set([6_129_484_611_666_145_821n]));
  });

  test('is asked for everything when it has forgotten us', async () => {
    await start();
    await untilNames('cluster1/a', 'own/b');
    agent.forgetClients();
    agent.remove('b');
    await untilNames('cluster1/a');
  });

  test('is asked for everything after an answer that did not arrive', async () => {
    await start();
    await untilNames('cluster1/a', 'own/b');
    agent.lies.push({ cut: true });
    agent.put(nodeElement('c', '198.51.100.3'));
    await untilNames('cluster1/a', 'own/b', 'own/c');
  });

  test('may be away for any time: the list stays, and its age is reported', async () => {
    await start();
    await untilNames('cluster1/a', 'own/b');
    await agent.stop();
    await until(() => expect(states.at(-1)?.since).toBeDefined());
    expect(states.at(-1)?.waitsFor).toBe(`nodes of the Cilium agent on ${socketPath}`);
    expect(states.at(-1)?.lastError).toContain('ENOENT');
    expect(states.at(-1)?.listAt).toBeDefined();
    expect(names()).toEqual(['cluster1/a', 'own/b']);
    agent = new CiliumAgent();
    agent.put(nodeElement('c', '198.51.100.3'));
    await agent.start(socketPath);
    await untilNames('own/c');
    await until(() => expect(states.at(-1)?.since).toBeUndefined());
  });

  test('is waited for when it is not there yet', async () => {
    await agent.stop();
    await start();
    await until(() => expect(states.length).toBeGreaterThan(3));
    expect(states.at(-1)?.listAt).toBeUndefined();
    expect(lists).toEqual([]);
    agent = new CiliumAgent();
    agent.put(nodeElement('c', '198.51.100.3'));
    await agent.start(socketPath);
    await untilNames('own/c');
  });

  test('is believed to have no nodes only after some time', async () => {
    await start();
    await untilNames('cluster1/a', 'own/b');
    agent.remove('b');
    agent.remove('cluster1/a');
    await untilNames();
    expect(lists.map((list) => list.length)).toEqual([2, 0]);
  });

  test.each([
    ['nonsense', { text: '<html>' }],
    ['nothing', { text: '' }],
    ['no client id', { text: '{"nodes-added":[]}' }],
    ['nodes that are no list', { text: '{"client-id":1,"nodes-removed":{}}' }],
    ['500', { status: 500 }],
  ])('answers %s: the last list stays', async (_, lie) => {
    await start();
    await untilNames('cluster1/a', 'own/b');
    agent.lies.push(lie);
    await until(() => expect(agent.lies).toEqual([]));
    agent.put(nodeElement('c', '198.51.100.3'));
    await untilNames('cluster1/a', 'own/b', 'own/c');
    expect(lists).toHaveLength(2);
    expect(states.some(({ lastError }) => lastError !== undefined)).toBe(true);
  });

  test('may answer with anything at all', async () => {
    await start();
    const random = createRandom(5);
    const answer = {
      'client-id': 7,
      'nodes-added': [nodeElement('a', '198.51.100.1')],
      'nodes-removed': [nodeElement('b', '198.51.100.2')],
    };
    const bytes = Buffer.from(JSON.stringify(answer));
    for (let round = 0; round < 3000; round++) {
      const odd = JSON.stringify(mutateValue(answer, random));
      for (const text of [mutateBytes(bytes, random).toString(), odd]) {
        try {
          for (const { name, host } of readNodeChanges(text, 'own').added) {
            expect(name).toMatch(/^[\w.-]+\/[\w.-]+$/);
            for (const ip of host) expect(ip).toMatch(/^[0-9a-f.:]+$/);
          }
        } catch (error) {
          expect((error as Error).message).toMatch(/^expected /);
        }
      }
    }
  });
});
