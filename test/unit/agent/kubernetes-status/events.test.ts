import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finding, n, World } from './world.js';

let world: World;
afterEach(() => world.end());

/** Agents that have heard each other for a while, and write Events alone. */
async function agents(count = 12): Promise<void> {
  world = new World(count, { conditions: false });
  await world.clock.advance(15_000);
}

describe('the Event of a finding', () => {
  beforeEach(() => agents());

  test('is one on the node, with the sentence, the kind and the next command', async () => {
    const since = world.now();
    world.find(finding(3));
    await world.clock.advance(600_000);
    expect(world.written).toHaveLength(1);
    const [[name, event] = []] = world.events;
    expect(name).toMatch(/^meshprobe-[0-9a-f]{16}$/);
    expect(event).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      eventTime: since.replace('Z', '000Z'),
      reportingController: 'meshprobe.dev/agent',
      reportingInstance: `c/${world.writers[0] ?? ''}`,
      action: 'Probing',
      type: 'Warning',
      reason: 'NodeDown',
      note: 'c/n3 is down. Next: kubectl get node n3 -o wide',
      regarding: { apiVersion: 'v1', kind: 'Node', name: 'n3', uid: 'uid-n3' },
    });
  });

  test('is written too where clocks were ahead when the agents started', async () => {
    world.clock.wallOffsetMs -= 3_600_000;
    await world.clock.advance(60_000);
    world.find(finding(3));
    await world.clock.advance(60_000);
    expect(world.written).toHaveLength(1);
  });

  test('counts up where the finding comes again, also by another writer', async () => {
    for (let opening = 0; opening < 3; opening++) {
      world.find(finding(3));
      await world.clock.advance(60_000);
      world.find();
      await world.clock.advance(60_000);
    }
    expect([...world.events.values()]).toMatchObject([{ series: { count: 3 } }]);
    const [first] = world.writers;
    for (const agent of world.agents) if (agent.name === first) world.kill(agent);
    await world.clock.advance(60_000);
    world.find(finding(3));
    await world.clock.advance(60_000);
    expect([...world.events.values()]).toMatchObject([{ series: { count: 4 } }]);
  });

  test('counts up by what the API server has, also by agents that saw no opening before', async () => {
    world.find(finding(3));
    await world.clock.advance(60_000);
    const before = world.events;
    world.end();
    world = new World(12, { conditions: false });
    for (const [name, event] of before) world.events.set(name, event);
    await world.clock.advance(120_000);
    world.find(finding(3));
    // Ten agents make sure of it, and none counts it again.
    await world.clock.advance(180_000);
    expect([...world.events.values()]).toMatchObject([{ series: { count: 2 } }]);
    expect(world.written).toHaveLength(1);
  });

  test('is another one where more is known and the kind changes', async () => {
    const since = world.now();
    world.find(finding(3, { kind: 'node-isolated' }));
    await world.clock.advance(60_000);
    for (const agent of world.agents) agent.findings = [{ ...finding(3), since }];
    await world.clock.advance(120_000);
    const events = [...world.events.values()];
    expect(events.map(({ reason }) => reason)).toEqual(['NodeIsolated', 'NodeDown']);
    expect(events.map(({ series }) => series)).toEqual([undefined, undefined]);
  });

  test('does not change its kind with each moment', async () => {
    const since = world.now();
    for (const kind of ['node-isolated', 'node-down', 'node-isolated'] as const) {
      for (const agent of world.agents) agent.findings = [{ ...finding(3, { kind }), since }];
      await world.clock.advance(20_000);
    }
    await world.clock.advance(120_000);
    expect([...world.events.values()]).toMatchObject([{ reason: 'NodeIsolated' }]);
  });

  test('is on a node that does not reach a target, where the finding names none', async () => {
    const looks = ['other/n2', 'c/n7'].map(
      (from) => ({ from, plane: 'host', failure: 'timeout', since: '' }) as const,
    );
    world.find(finding(undefined, { kind: 'target-down', target: 'registry', looks }));
    await world.clock.advance(60_000);
    expect([...world.events.values()]).toMatchObject([
      { reason: 'TargetDown', regarding: { name: 'n7' } },
    ]);
  });

  test('is written where most agents are not ready', async () => {
    world.end();
    await agents(30);
    for (const agent of world.agents.slice(0, 24)) agent.isReady = false;
    world.find(...[1, 2, 3, 4].map((number) => finding(number)));
    await world.clock.advance(60_000);
    expect(world.events.size).toBe(4);
  });

  test('is written by the next agent where the first one dies before it writes', async () => {
    world.refuses = () => 500;
    world.find(finding(3));
    while (world.asked.length === 0) await world.clock.advance(1000);
    for (const agent of world.agents) if (agent.name === world.asked[0]?.by) world.kill(agent);
    world.refuses = () => undefined;
    await world.clock.advance(60_000);
    expect(world.events.size).toBe(1);
  });

  test('is written when the API server is back, if the finding is still open', async () => {
    for (const agent of world.agents) agent.isServed = false;
    world.find(finding(3), finding(4));
    await world.clock.advance(900_000);
    for (const agent of world.agents)
      agent.findings = agent.findings.filter(({ node }) => node === 'c/n4');
    for (const agent of world.agents) agent.isServed = true;
    await world.clock.advance(60_000);
    expect([...world.events.values()].map(({ note }) => note)).toEqual([
      'c/n4 is down. Next: kubectl get node n4 -o wide',
    ]);
  });

  test('is not written again by agents that start after it', async () => {
    const since = new Date(world.clock.wallMs() - 3_600_000).toISOString();
    for (const agent of world.agents) agent.findings = [{ ...finding(3), since }];
    await world.clock.advance(300_000);
    expect(world.asked).toEqual([]);
  });

  test('is on a node that it is seen at, where the finding names none', async () => {
    const evidence = [
      {
        from: 'other/n1',
        to: 'c/n9',
        plane: 'host',
        protocol: 'icmp',
        failure: 'timeout',
        since: '2026-01-01T00:00:00Z',
      } as const,
    ];
    world.find(finding(undefined, { kind: 'zones', zones: ['a'], evidence }));
    await world.clock.advance(60_000);
    expect([...world.events.values()]).toMatchObject([
      { reason: 'Zones', regarding: { name: 'n9' } },
    ]);
  });

  test('is not written for what another cluster has, nor for what an agent sees of itself', async () => {
    world.find(
      finding(undefined, { id: 'node:other/x', node: 'other/x' }),
      finding(3, { local: true }),
    );
    await world.clock.advance(120_000);
    expect(world.asked).toEqual([]);
  });

  test('has a note of at most 1024 bytes that still ends with the command', async () => {
    world.find(finding(3, { text: `\u0007${'ü'.repeat(2000)}` }));
    await world.clock.advance(60_000);
    const [event] = world.events.values();
    expect(Buffer.byteLength(event?.note ?? '')).toBeLessThanOrEqual(1024);
    expect(event?.note).toMatch(/^\\x07ü+…\. Next: kubectl get node n3 -o wide$/);
  });
});

describe('a storm', () => {
  test('gets an Event for each of its first five findings and one for all others', async () => {
    await agents(26);
    world.find(...Array.from({ length: 16 }, (_, index) => finding(index + 1)));
    await world.clock.advance(180_000);
    const reasons = [...world.events.values()].map(({ reason }) => reason);
    expect(reasons.sort()).toEqual([
      'ManyFindings',
      ...Array.from({ length: 5 }, () => 'NodeDown'),
    ]);
    expect([...world.events.values()].at(-1)?.note).toBe(
      '11 more findings opened within a minute; the first: c/n6 is down. Next: meshprobe diagnose',
    );
  });

  test('is not made by what no node of this cluster has', async () => {
    await agents();
    const foreign = Array.from({ length: 20 }, (_, index) =>
      finding(undefined, { id: `node:other/${index}`, node: `other/${index}` }),
    );
    world.find(...foreign, ...[1, 2, 3].map((number) => finding(number)));
    await world.clock.advance(60_000);
    expect([...world.events.values()].map(({ reason }) => reason)).toEqual([
      'NodeDown',
      'NodeDown',
      'NodeDown',
    ]);
  });

  test('keeps to ten changes a minute, those of conditions included that are not cleared', async () => {
    world = new World(26);
    await world.clock.advance(15_000);
    for (let round = 0; round < 3; round++) {
      const named = Array.from({ length: 6 }, (_, index) => 6 * round + index + 1);
      world.find(...named.map((number) => finding(number, { seenBy: { failing: 25, of: 25 } })));
      await world.clock.advance(45_000);
    }
    await world.clock.advance(120_000);
    const written = world.written.filter(({ write }) => !write.body.includes('"status":"True"'));
    for (const { atMs } of written) {
      const within = written.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000);
      expect(within.length).toBeLessThanOrEqual(10);
    }
    // Five findings, and all others in the Event of the storm.
    expect(world.events.size).toBe(6);
  });

  test('that comes again is the same Event', async () => {
    await agents(26);
    for (const from of [1, 10]) {
      world.find(...Array.from({ length: 8 }, (_, index) => finding(from + index)));
      await world.clock.advance(120_000);
      world.find();
      await world.clock.advance(120_000);
    }
    const storms = [...world.events.values()].filter(({ reason }) => reason === 'ManyFindings');
    expect(storms).toMatchObject([{ series: { count: 2 } }]);
  });
});

describe('an Event that is refused', () => {
  test('because its namespace is not there is a problem', async () => {
    await agents();
    world.refuses = ({ method }) => (method === 'POST' ? 404 : undefined);
    world.find(finding(3));
    await world.clock.advance(30_000);
    const texts = world.agents.flatMap(({ problems }) => problems.list());
    expect(texts).toContain('Events cannot be written: HTTP 404: refused');
    world.refuses = () => undefined;
    await world.clock.advance(30_000);
    expect(world.events.size).toBe(1);
  });

  test('for want of a right is a problem, told of once; conditions go on', async () => {
    world = new World(12);
    await world.clock.advance(15_000);
    world.refuses = ({ path }) => (path.includes('/events') ? 403 : undefined);
    world.find(finding(3));
    await world.clock.advance(60_000);
    const texts = world.agents.flatMap(({ problems }) => problems.coded());
    expect(new Set(texts.map(({ text }) => text))).toEqual(
      new Set([
        'Events cannot be written: HTTP 403: refused; it takes the right to create and patch events of events.k8s.io in the namespace default (--kubernetes-events)',
      ]),
    );
    expect(world.agents.every(({ warnings }) => warnings.length <= 1)).toBe(true);
    expect(world.conditions.get(n(3))?.status).toBe('False');
  });
});
