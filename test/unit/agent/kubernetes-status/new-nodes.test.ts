import { afterEach, describe, expect, test } from 'vitest';
import {
  isReachedByHalf,
  peersReached,
  type Reach,
} from '../../../../agent/kubernetes-status/peers-reached.js';
import { newNodeWrites } from '../../../../agent/kubernetes-status/write-budget.js';
import { perChannel } from '../../../../agent/model/channel.js';
import { finding, n, World } from './world.js';

let world: World;
afterEach(() => world.end());

/** Agents that have heard each other for a while, on nodes that have the condition, but for some. */
async function agents(size: number, ...fresh: readonly number[]): Promise<World> {
  world = new World(size, { events: false });
  for (let number = 1; number <= size; number++) {
    if (!fresh.includes(number)) has(n(number));
  }
  await world.clock.advance(15_000);
  return world;
}

function has(name: string): void {
  const condition = { status: 'True', reason: 'NoFinding', message: '', sinceAt: 1 } as const;
  world.conditions.set(name, condition);
}

describe('a node that never had the condition', () => {
  test('gets it once, from one agent that is not its own, when half of the others reach it', async () => {
    await agents(12, 3);
    await world.clock.advance(60_000);
    expect(world.written).toEqual([]);
    world.reached.add('n3');
    await world.clock.advance(120_000);
    expect(world.written).toHaveLength(1);
    expect(world.writers).not.toContain('n3');
    expect(world.conditions.get('n3')).toMatchObject({ status: 'True', reason: peersReached });
    expect(world.written[0]?.body).toMatchObject({ metadata: { name: 'n3', uid: 'uid-n3' } });
  });

  test('gets nothing while a finding names it, while it is cordoned, or where no agent reaches it', async () => {
    await agents(12, 3, 4, 5);
    for (const number of [3, 4, 5]) world.reached.add(n(number));
    for (const agent of world.living) {
      agent.findings = [finding(3, { kind: 'endpoint-down' })];
      agent.failing.add('n5');
    }
    world.phases.set('n4', 'excluded');
    await world.clock.advance(120_000);
    expect(world.written).toEqual([]);
  });

  test('gets it from the next agent where the first one does not write', async () => {
    await agents(12, 3);
    world.reached.add('n3');
    const asked = new Set<string>();
    world.refuses = () => 500;
    await world.clock.advance(60_000);
    for (const { by } of world.asked) asked.add(by);
    expect(asked.size).toBeGreaterThan(1);
  });

  test('is False soon after, if it breaks', async () => {
    await agents(12, 3);
    world.reached.add('n3');
    await world.clock.advance(60_000);
    world.dies(3);
    await world.clock.advance(30_000);
    expect(world.conditions.get('n3')).toMatchObject({ status: 'False', reason: 'NodeDown' });
  });

  test('is none of those that a rolling update of the agents restarts', async () => {
    await agents(12);
    for (let number = 1; number <= 12; number++) world.reached.add(n(number));
    for (const agent of world.agents) {
      agent.isReady = false;
      agent.failing.add(n(1));
      await world.clock.advance(20_000);
      agent.isReady = true;
      agent.failing.clear();
      await world.clock.advance(20_000);
    }
    expect(world.asked).toEqual([]);
  });

  test('does not hold up others while too few agents reach it', async () => {
    await agents(3);
    for (let index = 0; index < 2 * newNodeWrites; index++) world.further.push(`m${index}`);
    world.reached.add(world.further.at(-1) ?? '');
    world.reached.add(world.further[0] ?? '');
    await world.clock.advance(600_000);
    expect(world.written).toHaveLength(2);
  });
});

test('1,000 new nodes get the condition within twelve minutes, and no more than the budget in any', async () => {
  const size = 10;
  await agents(size);
  for (let index = 0; index < 1000; index++) {
    world.further.push(`m${index}`);
    world.reached.add(`m${index}`);
  }
  await world.clock.advance(720_000);
  const times = world.written.map(({ atMs }) => atMs);
  const nodes = new Set(world.written.map(({ body }) => JSON.stringify(body['metadata'])));
  expect([times.length, nodes.size]).toEqual([1000, 1000]);
  const inMinuteFrom = (fromMs: number) =>
    times.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000).length;
  // Agents that write in the same second do not see each other's write yet.
  expect(Math.max(...times.map(inMinuteFrom))).toBeLessThanOrEqual(newNodeWrites + size);
});

test('what is found is written beside 1,000 new nodes', async () => {
  await agents(20);
  for (let index = 0; index < 1000; index++) {
    world.further.push(`m${index}`);
    world.reached.add(`m${index}`);
  }
  await world.clock.advance(60_000);
  expect(world.written.length).toBeGreaterThan(30);
  world.dies(3);
  await world.clock.advance(30_000);
  expect(world.conditions.get('n3')).toMatchObject({ status: 'False', reason: 'NodeDown' });
});

describe('whether a node is reached by half', () => {
  const counts = (reachable: number, unreachable: number) =>
    perChannel(() => ({ reachable, unreachable, unknown: 0, degraded: 0 }));
  /** Of five nodes; what a node counts has its own addresses too. */
  const well: Reach = {
    seenBy: { reachable: 2, of: 4 },
    counts: counts(3, 2),
    hasEndpoint: true,
    wantsEndpoint: true,
    activeNodes: 5,
  };
  const onEndpoint = { ...counts(3, 2), endpoint: counts(2, 3).endpoint };

  test.each([
    [true, {}],
    [false, { seenBy: { reachable: 1, of: 4 } }],
    [false, { seenBy: { reachable: 0, of: 0 } }],
    [false, { counts: undefined }],
    [false, { counts: counts(2, 3) }],
    [false, { counts: onEndpoint }],
    [true, { counts: onEndpoint, wantsEndpoint: false, hasEndpoint: false }],
    [false, { hasEndpoint: false }],
  ])('is %s of five nodes with %j', (isWell, more) => {
    expect(isReachedByHalf({ ...well, ...more })).toBe(isWell);
  });

  test('takes all of two nodes', () => {
    const two = { ...well, activeNodes: 2, seenBy: { reachable: 1, of: 1 } };
    expect(isReachedByHalf({ ...two, counts: counts(2, 0) })).toBe(true);
    expect(isReachedByHalf({ ...two, counts: counts(1, 1) })).toBe(false);
  });
});
