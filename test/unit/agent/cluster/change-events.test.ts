import { describe, expect, test } from 'vitest';
import { findingEvents, nodeListEvents } from '../../../../agent/cluster/change-events.js';
import { findingEventSchema } from '../../../../api/schema/v1/events.js';
import type { Finding } from '../../../../agent/diagnosis/nouns/finding.js';
import type { Node } from '../../../../agent/model/node.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';
import type { Change } from '../../../../agent/reports/event-log.js';

const node = (more: Partial<Node> = {}): Node => ({
  name: 'c/n1',
  host: ['198.51.100.1'],
  endpoint: [],
  ...more,
});
const now = Date.parse('2026-01-31T14:03:00Z');
const lost = node({
  condition: { name: 'NotReady', sinceAt: Date.parse('2026-01-31T14:02:07Z') },
});
const eventsOf = (nodes: readonly Node[], before: readonly Node[] | undefined) => {
  const events: Change[] = [];
  runAtOnce(nodeListEvents(nodes, before, now, (event) => events.push(event)));
  return events;
};
const changesOf = (before: Node, after: Node) =>
  eventsOf([after], [before]).filter(({ type }) => type === 'node');

describe('the events of a node list', () => {
  test('tell that a node turned NotReady, and that it is ready again', () => {
    const changed = { type: 'node', at: '2026-01-31T14:03:00.000Z', change: 'changed' };
    const active = { node: 'c/n1', lifecycle: { phase: 'active' } };
    const known = 'Kubernetes: NotReady since 2026-01-31T14:02:07Z';
    expect(changesOf(node(), lost)).toEqual([{ ...changed, ...active, known }]);
    expect(changesOf(lost, node())).toEqual([{ ...changed, ...active }]);
  });

  test('tell nothing of a node that stays as it is', () => {
    expect(changesOf(lost, lost)).toEqual([]);
    expect(changesOf(lost, structuredClone(lost))).toEqual([]);
    expect(changesOf(node(), node({ lifecycle: { phase: 'active' } }))).toEqual([]);
  });

  test('come in small steps, however many nodes there are', () => {
    const named = (letter: string) =>
      Array.from({ length: 500 }, (_, number) => node({ name: `c/${letter}${number}` }));
    let told = 0;
    const steps = nodeListEvents(named('a'), named('b'), now, () => told++);
    let most = 0;
    for (let before = told; !steps.next().done; before = told) most = Math.max(most, told - before);
    expect(told).toBe(1001);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('tell who came and went, and of the first list only how many there are', () => {
    const [a, b, c] = ['c/a', 'c/b', 'c/c'].map((name) => node({ name })) as [Node, Node, Node];
    const events = eventsOf([b, c], [a, b]);
    expect(events[0]).toMatchObject({ type: 'list', nodes: 2, added: 1, removed: 1 });
    expect(events.slice(1)).toMatchObject([
      { change: 'added', node: 'c/c' },
      { change: 'removed', node: 'c/a' },
    ]);
    expect(eventsOf([a, b], undefined)).toMatchObject([
      { type: 'list', nodes: 2, added: 2, removed: 0 },
    ]);
  });
});

test('a finding about what was taken out closes as no longer watched, and not as mended', () => {
  const about = (target: string | undefined): Finding =>
    ({
      id: `f:${target}`,
      kind: 'target-down',
      severity: 'broken',
      text: 'down',
      target,
    }) as Finding;
  const before = { findings: [about('gone'), about('kept'), about(undefined)] };
  const after = { findings: [] as Finding[] };
  const events = findingEvents(after, before, now, ({ target }) => target !== 'gone');
  expect(events).toMatchObject([
    { change: 'closed', finding: 'f:gone', reason: 'no longer watched' },
    { change: 'closed', finding: 'f:kept' },
    { change: 'closed', finding: 'f:undefined' },
  ]);
  expect(events.slice(1).some((event) => 'reason' in event)).toBe(false);
  const opened = findingEvents(before, after, now, () => false);
  expect(opened.some((event) => 'reason' in event)).toBe(false);
});

test('the event of a finding says what it is about as the finding does', () => {
  const subjects: Partial<Finding>[] = [
    { node: 'c/n1' },
    { pair: ['c/n1', 'c/n2'] },
    { zones: ['a', 'b'] },
    { group: { label: 'rack', value: 'r2', and: { label: 'zone', value: 'a' }, nodes: 3 } },
    { groups: ['a', 'b'].map((value) => ({ label: 'role', value, nodes: 3 })) },
    { count: 20, examples: ['c/n1', 'c/n2'] },
  ];
  const findings = subjects.map(
    (subject, at) =>
      ({ id: `f${at}`, kind: 'pair', severity: 'broken', text: '', ...subject }) as Finding,
  );
  const events = findingEvents({ findings }, undefined, now, () => true);
  expect(events).toMatchObject(subjects);
  for (const event of events) findingEventSchema.parse({ id: 1, ...event });
});
