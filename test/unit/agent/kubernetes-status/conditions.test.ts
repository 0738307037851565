import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finding, n, World } from './world.js';

let world: World;
afterEach(() => world.end());

/** Twelve agents that have heard each other for a while. */
async function twelve(): Promise<void> {
  world = new World(12, { events: false });
  await world.clock.advance(15_000);
}

function comesBack(number: number): void {
  world.find();
  for (const agent of world.living) agent.failing.delete(n(number));
}

describe('the condition of a node', () => {
  beforeEach(twelve);

  test('is False with the kind and the sentence, written once by one agent', async () => {
    const diedAt = world.now();
    world.dies(3);
    await world.clock.advance(120_000);
    expect(world.asked).toHaveLength(1);
    expect(world.conditions).toEqual(
      new Map([
        [
          'n3',
          {
            status: 'False',
            reason: 'NodeDown',
            message: 'c/n3 is down',
            sinceAt: Date.parse(diedAt),
          },
        ],
      ]),
    );
    expect(world.asked[0]?.body).toMatchObject({ metadata: { name: 'n3', uid: 'uid-n3' } });
    // Half of the others are to be heard since it began, so it is a few seconds.
    expect((world.asked[0]?.atMs ?? 0) - 16_000).toBeLessThan(8000);
  });

  test('has no time of the future, even where an agent whose clock was ahead wrote one', async () => {
    const sinceAt = world.clock.wallMs() + 365 * 86_400_000;
    world.conditions.set('n3', { status: 'True', reason: 'NoFinding', message: '', sinceAt });
    const diedAt = world.now();
    world.dies(3);
    await world.clock.advance(120_000);
    const told = world.conditions.get('n3');
    expect(told).toMatchObject({ status: 'False', sinceAt: Date.parse(diedAt) });
  });

  test('is not touched for a target that the node does not reach', async () => {
    world.find(finding(3, { kind: 'target-unreachable', target: 'registry' }));
    await world.clock.advance(120_000);
    expect(world.asked).toHaveLength(0);
  });

  test('is True again when the finding closed, and stays so', async () => {
    world.dies(3);
    await world.clock.advance(60_000);
    comesBack(3);
    const backMs = world.clock.wallMs();
    await world.clock.advance(120_000);
    expect(world.written).toHaveLength(2);
    expect(world.conditions.get('n3')).toMatchObject({ status: 'True', reason: 'NoFinding' });
    expect(world.conditions.get('n3')?.sinceAt).toBeGreaterThanOrEqual(backMs - 1000);
  });

  test('is True soon after, also where it would be the turn of the agent of that node', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) {
      world.find(finding(number));
      await world.clock.advance(30_000);
      world.find();
      await world.clock.advance(2000);
      expect(world.conditions.get(n(number))?.status).toBe('True');
      world.end();
      await twelve();
    }
  });

  // Who writes first for a finding, and for its end, differs from node to node.
  test.each([1, 5, 9])(
    'is not False again because one agent sees the end of n%i some seconds later',
    async (number) => {
      world.dies(number);
      await world.clock.advance(60_000);
      const late = world.agents.find(({ name }) => name === world.written[0]?.by);
      if (!late) throw new RangeError('expected a writer');
      comesBack(number);
      late.findings = [finding(number)];
      await world.clock.advance(4000);
      late.findings = [];
      await world.clock.advance(120_000);
      expect(world.conditions.get(n(number))).toMatchObject({ status: 'True' });
      expect(world.written).toHaveLength(2);
    },
  );

  test('is written by the next agent 10 s later where the first ones died', async () => {
    world.dies(3);
    const first = await firstWriter();
    world.kill(first);
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
    expect(world.written).toHaveLength(1);

    /** Finds out who would write, with a server that takes nothing. */
    async function firstWriter() {
      world.refuses = () => 500;
      while (world.asked.length === 0) await world.clock.advance(1000);
      world.refuses = () => undefined;
      return world.agents.find(({ name }) => name === world.asked[0]?.by) ?? world.agent(1);
    }
  });

  test('is written by nobody on the smaller side of a split, and by nobody at six to six', async () => {
    for (const [smaller, writers] of [
      [5, 7],
      [6, 0],
    ] as const) {
      const side = (number: number) => number <= smaller;
      const number = (name: string) => Number(name.slice(1));
      world.hears = (a, b) => side(number(a.name)) === side(number(b.name));
      for (const agent of world.agents) {
        const far = world.agents.filter(
          ({ name }) => side(number(name)) !== side(number(agent.name)),
        );
        const since = world.now();
        agent.findings = far.map(({ name }) => ({ ...finding(number(name)), since }));
        for (const { name } of far) agent.failing.add(name);
      }
      await world.clock.advance(120_000);
      expect(world.writers.filter((name) => side(number(name)))).toEqual([]);
      const named = writers === 0 ? [] : [1, 2, 3, 4, 5].map(n);
      expect([...world.conditions.keys()].sort()).toEqual(named);
      world.end();
      await twelve();
    }
  });

  test('is not written by the side that was the smaller one, right after the split healed', async () => {
    world.hears = () => false;
    await world.clock.advance(30_000);
    const agent = world.agent(1);
    agent.findings = world.agents
      .slice(5)
      .map((_, index) => ({ ...finding(index + 6), since: world.now() }));
    world.hears = () => true;
    await world.clock.advance(9000);
    agent.findings = [];
    await world.clock.advance(60_000);
    expect(world.asked).toEqual([]);
  });

  test('is the end state after the API server was away, and nothing in between is written', async () => {
    for (const agent of world.agents) agent.isServed = false;
    world.dies(3);
    await world.clock.advance(300_000);
    comesBack(3);
    await world.clock.advance(60_000);
    world.find(finding(5));
    for (const agent of world.living) agent.failing.add('n5');
    await world.clock.advance(300_000);
    expect(world.asked).toEqual([]);
    for (const agent of world.agents) agent.isServed = true;
    await world.clock.advance(60_000);
    expect([...world.conditions]).toMatchObject([['n5', { status: 'False' }]]);
    expect(world.written).toHaveLength(1);
  });

  test('is Unknown where too few observers speak, and where the agent of the node is gone', async () => {
    world.find(finding(3, { seenBy: { failing: 2, of: 2 } }));
    await world.clock.advance(30_000);
    expect(world.conditions.get('n3')).toMatchObject({
      status: 'Unknown',
      reason: 'TooFewObservers',
      message: '2 of 12 agents tell of it: c/n3 is down',
    });
    world.find(
      finding(3, { kind: 'agent-down', id: 'agent:c/n3' }),
      finding(4, { kind: 'agent-down' }),
    );
    await world.clock.advance(120_000);
    expect([...world.conditions]).toMatchObject([
      ['n3', { status: 'Unknown', reason: 'AgentDown' }],
    ]);
  });

  test('stays False while the writer does not reach the node, whatever else explains it', async () => {
    world.dies(3);
    await world.clock.advance(30_000);
    world.find(finding(undefined, { kind: 'zones', zones: ['a'], text: 'zone a is cut off' }));
    await world.clock.advance(300_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
    expect(world.written).toHaveLength(1);
  });

  test('stays False of a cordoned node that is dead, and is Unknown when that answers', async () => {
    world.dies(3);
    await world.clock.advance(30_000);
    world.phases.set('n3', 'excluded');
    world.find();
    await world.clock.advance(120_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
    comesBack(3);
    await world.clock.advance(120_000);
    expect(world.conditions.get('n3')).toMatchObject({ status: 'Unknown', reason: 'NotJudged' });
    world.phases.delete('n3');
    await world.clock.advance(120_000);
    expect(world.conditions.get('n3')?.status).toBe('True');
  });

  test('does not flap where one agent does not see what all others see', async () => {
    world.find(finding(3));
    world.agent(7).findings = [];
    world.agent(8).findings = [];
    await world.clock.advance(1_800_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
    // Each of the two says once that all is well.
    expect(world.written.length).toBeLessThanOrEqual(5);
  });

  test('is cleared at once where only the reason has changed before', async () => {
    world.dies(3);
    await world.clock.advance(60_000);
    world.find(finding(3, { kind: 'node-isolated' }));
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')?.reason).toBe('NodeIsolated');
    comesBack(3);
    await world.clock.advance(15_000);
    expect(world.conditions.get('n3')?.status).toBe('True');
  });

  test('tells of a node that joins many since it joined them', async () => {
    const many = (...numbers: number[]) => {
      const examples = numbers.map((one) => `c/${n(one)}`);
      return finding(undefined, { id: 'node-down:many', count: numbers.length, examples });
    };
    const since = world.now();
    world.find(many(3, 4));
    await world.clock.advance(1_800_000);
    const joinedAt = world.clock.wallMs();
    for (const agent of world.agents) agent.findings = [{ ...many(3, 4, 5), since }];
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')?.sinceAt).toBeLessThan(Date.parse(since) + 10_000);
    expect(world.conditions.get('n5')?.sinceAt).toBeGreaterThanOrEqual(joinedAt - 1000);
  });

  test('tells of a finding that came again since it came again', async () => {
    const first = { ...finding(3), since: world.now() };
    world.find(first);
    await world.clock.advance(60_000);
    world.find();
    await world.clock.advance(120_000);
    const againAt = world.clock.wallMs();
    // A finding that flaps has the time of its first opening.
    for (const agent of world.agents) agent.findings = [first];
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
    expect(world.conditions.get('n3')?.sinceAt).toBeGreaterThanOrEqual(againAt - 1000);
  });

  test('of a node that was made anew does not tell of the old one', async () => {
    world.dies(3);
    await world.clock.advance(300_000);
    const createdAt = world.clock.wallMs();
    world.made.set('n3', { uid: 'second', createdAt });
    world.conditions.delete('n3');
    // Its agents drop the finding only when they have looked.
    await world.clock.advance(2000);
    expect(world.conditions.get('n3')).toBeUndefined();
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')).toMatchObject({ status: 'False' });
    expect(world.conditions.get('n3')?.sinceAt).toBeGreaterThanOrEqual(createdAt);
    expect(world.written.at(-1)?.body).toMatchObject({ metadata: { uid: 'second' } });
  });

  test('keeps its reason where agents put two findings of a node in another order', async () => {
    const both = [
      finding(3, { kind: 'lossy', id: 'lossy:c/n3' }),
      finding(3, { kind: 'slow', id: 'slow:c/n3' }),
    ];
    world.find(...both);
    for (const agent of world.agents.slice(6)) agent.findings.reverse();
    await world.clock.advance(1_800_000);
    expect(world.written).toHaveLength(1);
  });

  test('is written by no agent that is not ready', async () => {
    for (const agent of world.agents) agent.isReady = false;
    world.dies(3);
    await world.clock.advance(60_000);
    expect(world.asked).toEqual([]);
    world.agent(9).isReady = true;
    await world.clock.advance(180_000);
    expect(world.writers).toEqual(['n9']);
  });

  test('is not cleared at once by an agent that has just started', async () => {
    world.dies(3);
    await world.clock.advance(30_000);
    world.end();
    const before = world.conditions;
    world = new World(12, { events: false });
    for (const [name, condition] of before) world.conditions.set(name, condition);
    await world.clock.advance(60_000);
    expect(world.written).toEqual([]);
    await world.clock.advance(60_000);
    expect(world.conditions.get('n3')?.status).toBe('True');
  });

  test('escapes control characters and keeps within 32 KiB', async () => {
    world.find(finding(3, { text: `\u001b[31m${'ä'.repeat(40_000)}` }));
    await world.clock.advance(30_000);
    const message = world.conditions.get('n3')?.message ?? '';
    expect(message).toMatch(/^\\x1b\[31mä+…$/);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(32 << 10);
  });
});

describe('the budget', () => {
  test('holds ten writes a minute for the cluster and one a second for an agent', async () => {
    world = new World(26, { events: false });
    await world.clock.advance(15_000);
    const named = Array.from({ length: 24 }, (_, index) => index + 1);
    world.find(...named.map((number) => finding(number)));
    await world.clock.advance(180_000);
    expect(world.conditions.size).toBe(24);
    for (const { atMs } of world.written) {
      const within = world.written.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000);
      expect(within.length).toBeLessThanOrEqual(10);
    }
    for (const name of new Set(world.writers)) {
      const times = world.written.filter(({ by }) => by === name).map(({ atMs }) => atMs);
      for (const [index, atMs] of times.entries())
        expect(atMs - (times[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(1000);
    }
  });
});

describe('the room in the budget', () => {
  test('is not held by what nobody writes yet, and a fault goes before what is well again', async () => {
    world = new World(40, { events: false });
    // Agents that never held the findings of these wait before they clear them.
    const before = { status: 'False', reason: 'NodeDown', message: 'down', sinceAt: 1 } as const;
    for (let number = 1; number <= 20; number++) world.conditions.set(n(number), before);
    await world.clock.advance(15_000);
    world.find(finding(33, { seenBy: { failing: 39, of: 39 } }));
    await world.clock.advance(30_000);
    expect(world.conditions.get('n33')?.status).toBe('False');
  });
});

test('an agent that alone held a finding, and is gone, leaves no condition behind', async () => {
  world = new World(3, { events: false });
  await world.clock.advance(15_000);
  world.agent(1).findings = [{ ...finding(3, { kind: 'lossy' }), since: world.now() }];
  await world.clock.advance(600_000);
  expect(world.conditions.get('n3')?.status).toBe('False');
  world.agent(1).findings = [];
  await world.clock.advance(1000);
  world.kill(world.agent(1));
  await world.clock.advance(3_600_000);
  expect(world.conditions.get('n3')?.status).toBe('True');
});

test('after a large outage nodes that are well again are cleared in minutes', async () => {
  world = new World(12, { events: false });
  const numbers = Array.from({ length: 100 }, (_, at) => 401 + at);
  world.further.push(...numbers.map(n));
  await world.clock.advance(15_000);
  world.find(...numbers.map((number) => finding(number, { kind: 'endpoint-plane' })));
  await world.clock.advance(660_000);
  const failing = () =>
    [...world.conditions.values()].filter(({ status }) => status === 'False').length;
  expect(failing()).toBe(100);
  world.find();
  await world.clock.advance(120_000);
  expect(failing()).toBe(0);
}, 60_000);

describe('a write that is refused', () => {
  beforeEach(twelve);

  test('for want of a right is a problem with a code, told of once', async () => {
    world.refuses = () => 403;
    world.dies(3);
    await world.clock.advance(540_000);
    const [first] = world.asked;
    const agent = world.agents.find(({ name }) => name === first?.by);
    expect(agent?.problems.coded()).toEqual([
      {
        code: 'kubernetes-status',
        severity: 'error',
        text: 'the conditions of nodes cannot be written: HTTP 403: refused; it takes the right to patch nodes/status (--kubernetes-conditions)',
      },
    ]);
    expect(agent?.warnings).toHaveLength(1);
    // Every agent tries in its turn, and then once in five minutes.
    expect(world.asked.filter(({ by }) => by === first?.by).length).toBeLessThanOrEqual(2);
    world.refuses = () => undefined;
    await world.clock.advance(330_000);
    expect(world.conditions.get('n3')?.status).toBe('False');
  });

  test('because the node has gone is no problem, and others are written', async () => {
    world.refuses = ({ path }) => (path.includes('/n3/') ? 404 : undefined);
    world.find(finding(3), finding(5));
    await world.clock.advance(60_000);
    expect([...world.conditions.keys()]).toEqual(['n5']);
    for (const { problems } of world.agents) expect(problems.coded()).toEqual([]);
  });
});
