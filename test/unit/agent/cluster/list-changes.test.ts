import { expect, test } from 'vitest';
import { listChanges } from '../../../../agent/cluster/list-changes.js';
import type { Node } from '../../../../agent/model/node.js';
import { changeText } from '../../../../agent/model/host-words.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const node = (more: Partial<Node> = {}): Node => ({
  name: 'c/n2',
  host: ['198.51.100.2'],
  endpoint: [],
  ...more,
});
const wordsOf = (before: Partial<Node>, after: Partial<Node>) =>
  listChanges(node(before), node(after)).map(changeText);
const away = (reason: string) => ({ lifecycle: { phase: 'excluded', reason } }) as const;

test.each<[Partial<Node>, Partial<Node>, string[]]>([
  [{}, {}, []],
  [{ labels: { kernel: '6.8.0-45' } }, { labels: { kernel: '6.8.0-45' } }, []],
  [
    { labels: { kernel: '6.8.0-40', kubelet: 'v1.34.1' } },
    { labels: { kernel: '6.8.0-45', kubelet: 'v1.34.2' } },
    ['the kernel went from 6.8.0-40 to 6.8.0-45', 'kubelet went from v1.34.1 to v1.34.2'],
  ],
  [{ zone: 'a' }, { zone: 'b' }, ['label zone went from a to b']],
  [{}, { labels: { rack: 'r1' } }, ['label rack went from none to r1']],
  [{ labels: { __proto__: 'x' } }, {}, []],
  [{}, away('cordoned'), ['the node was cordoned']],
  [away('cordoned'), {}, ['the node was uncordoned']],
  [{}, away('tainted karpenter.sh/disrupted'), ['the node was tainted karpenter.sh/disrupted']],
  [away('tainted x'), away('cordoned'), ['the node was cordoned', 'the taint x was removed']],
  [{}, away('no address'), []],
])('from %j to %j changes %j', (before, after, words) => {
  expect(wordsOf(before, after)).toEqual(words);
});

test('what a list changes, and another version of an agent, are events, and stand on the page of the node', async () => {
  const nodes = [node({ name: 'c/n1', host: ['198.51.100.1'] }), node({ labels: { kernel: '1' } })];
  const heard: string[] = [];
  const { clock, peers, cluster, v1 } = createSimulatedCluster(nodes, (of, change) =>
    heard.push(`${of} ${change}`),
  );
  const row = (version: string, changes: object = {}) => ({
    ...peers.ownRowOf(0).row,
    observer: 'c/n2',
    version,
    ...changes,
  });
  peers.observers.keep(row('0.1.0'), 'a', 0, clock.nowMs());
  clock.runUntil(20_000);
  await cluster.onNodeList([...nodes.slice(0, 1), node({ labels: { kernel: '2' } })]);
  clock.runUntil(60_000);
  const started = { change: 'agent-restarted', about: '', from: '', to: '0.2.0' } as const;
  const changes = [{ ...started, ageSeconds: 10, withinSeconds: 0 }];
  peers.observers.keep(row('0.2.0', { changes }), 'b', 0, clock.nowMs());
  peers.observers.keep(row('0.2.0'), 'c', 0, clock.nowMs());
  const { events } = cluster.events.after(0, 100);
  const told = events.flatMap(({ json }) => {
    const event = JSON.parse(json) as Record<string, string>;
    return event['type'] === 'change' ? [event] : [];
  });
  const at = (ms: number) => new Date(clock.wallMs() - clock.nowMs() + ms).toISOString();
  expect(told.map(({ node: of, text, foundAt }) => [of, text, foundAt])).toEqual([
    ['c/n2', 'the kernel went from 1 to 2', at(20_000)],
    ['c/n2', 'the agent was replaced (0.1.0 to 0.2.0)', at(50_000)],
    ['c/n2', 'the agent started (version 0.2.0)', at(50_000)],
  ]);
  // What its host tells, once.
  expect(heard).toEqual(['c/n2 agent-restarted']);
  expect(await v1.node('c/n2')).toMatchObject({
    changes: [
      { change: 'agent-version', from: '0.1.0' },
      { change: 'kernel', from: '1', to: '2' },
    ],
  });
  // After an hour they are no news.
  clock.runUntil(3_800_000);
  expect(await v1.node('c/n2')).not.toHaveProperty('changes');
  cluster.stop();
});
