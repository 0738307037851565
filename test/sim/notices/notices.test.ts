import { describe, expect, test } from 'vitest';
import { minuteMs, refuses, settledWorld, takes, type NoticeWorld } from './notice-world.js';

let world: NoticeWorld;

const settled = async (receivers?: readonly object[], size = 12) =>
  (world = await settledWorld(size, receivers));

describe('the agents of a cluster', () => {
  test('tell each receiver once that a finding opened, and once that it closed', async () => {
    await settled([{}, { type: 'slack' }]);
    world.find('node:c/n7');
    await world.run(15_000);
    expect(world.told().sort()).toEqual(['r1 opened node:c/n7', 'r2 opened node:c/n7']);
    await world.run(10 * minuteMs);
    world.close('node:c/n7');
    await world.run(5 * minuteMs);
    expect(world.told().slice(2).sort()).toEqual(['r1 closed node:c/n7', 'r2 closed node:c/n7']);
    const closed = world.taken.at(-1)?.notice;
    expect(closed?.durationSeconds).toBeGreaterThanOrEqual(615);
    expect(closed?.durationSeconds).toBeLessThanOrEqual(620);
    expect(world.taken.every(({ by }) => by !== 'c/n7')).toBe(true);
  });

  test('tell an Alertmanager each minute what is open', async () => {
    await settled([{ type: 'alertmanager' }, {}]);
    world.find('node:c/n7');
    await world.run(10 * minuteMs);
    expect(world.renewed.length).toBeGreaterThanOrEqual(3 * 8);
    expect(world.renewed.length).toBeLessThanOrEqual(3 * 11);
    expect(new Set(world.renewed.map(({ by }) => by)).size).toBeGreaterThan(3);
    world.close('node:c/n7');
    await world.run(3 * minuteMs);
    const { length } = world.renewed;
    await world.run(3 * minuteMs);
    expect(world.renewed).toHaveLength(length);
    expect(world.told()).toHaveLength(4);
  });

  test('tell what is selected, and no sooner than wanted', async () => {
    await settled([
      { severities: ['degraded'] },
      { kinds: ['zones', 'lossy'] },
      { zones: ['b'] },
      { after: '2m' },
    ]);
    world.zoneOf = (node) => (node === 'c/n3' ? 'b' : 'a');
    world.find('node:c/n3');
    world.find('lossy:c/n4', { kind: 'lossy', severity: 'degraded' });
    await world.run(minuteMs);
    expect(world.told().sort()).toEqual([
      'r1 opened lossy:c/n4',
      'r2 opened lossy:c/n4',
      'r3 opened node:c/n3',
    ]);
    world.close('lossy:c/n4');
    await world.run(3 * minuteMs);
    expect(world.told().filter((one) => one.startsWith('r4'))).toEqual(['r4 opened node:c/n3']);
  });

  test('tell that a severity changed', async () => {
    await settled();
    world.find('zones:a,b', { severity: 'degraded' });
    await world.run(minuteMs);
    world.change('zones:a,b', { severity: 'broken' });
    await world.run(2 * minuteMs);
    expect(world.told()).toEqual(['r1 opened zones:a,b', 'r1 changed zones:a,b']);
  });

  test('make one message of a finding that flaps', async () => {
    await settled();
    for (let turn = 0; turn < 10; turn++) {
      world.find('node:c/n7');
      await world.run(40_000);
      world.close('node:c/n7');
      await world.run(40_000);
    }
    expect(world.told()).toEqual(['r1 opened node:c/n7']);
    await world.run(20 * minuteMs);
    expect(world.told()).toEqual(['r1 opened node:c/n7', 'r1 closed node:c/n7']);
    expect(world.taken[1]?.notice.openings).toBe(10);
  });

  test('fold a storm into one message with the count, and say when it is over', async () => {
    await settled([{}], 45);
    for (let at = 1; at <= 20; at++) world.find(`pair:c/n${at},c/n${at + 20}`, { kind: 'pair' });
    await world.run(2 * minuteMs);
    expect(world.told()).toEqual(['r1 storm 20/20']);
    expect(world.taken[0]?.notice.storm?.texts).toHaveLength(16);
    world.find('node:c/n45');
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 storm 20/20', 'r1 opened node:c/n45']);
    for (let at = 1; at <= 20; at++) world.close(`pair:c/n${at},c/n${at + 20}`);
    await world.run(3 * minuteMs);
    expect(world.told().slice(2)).toEqual(['r1 storm 20/0']);
  });

  test('tell five one by one, and what more opens within the minute together', async () => {
    await settled([{}], 45);
    for (let at = 1; at <= 9; at++) {
      world.find(`node:c/n${at}`);
      await world.run(4000);
    }
    await world.run(2 * minuteMs);
    const told = world.told();
    // A storm is announced some seconds before it is told, so the ninth is in it.
    expect(told.filter((one) => one.includes('storm'))).toEqual(['r1 storm 4/4']);
    expect(new Set(told).size).toBe(6);
    expect(told).toHaveLength(6);
  });

  test('tell nothing from the minority of a split, and the majority tells', async () => {
    await settled();
    const small = new Set(world.agents.slice(0, 5));
    world.hears = (a, b) => small.has(a) === small.has(b);
    world.find('zones:a,b', { kind: 'zones' });
    for (const agent of small) agent.open.set('node:c/n9', world.find('node:c/n9'));
    await world.run(3 * minuteMs);
    expect(world.taken.length).toBeGreaterThan(0);
    expect(world.taken.every(({ by }) => !small.has(world.agent(Number(by.slice(3)))))).toBe(true);
    expect(new Set(world.told()).size).toBe(world.told().length);
  });

  test('tell nothing from half of an even split', async () => {
    await settled();
    const half = new Set(world.agents.slice(0, 6));
    world.hears = (a, b) => half.has(a) === half.has(b);
    world.find('zones:a,b', { kind: 'zones' });
    await world.run(5 * minuteMs);
    expect(world.told()).toEqual([]);
    world.hears = () => true;
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened zones:a,b']);
  });

  test('go on telling where the first one is dead, ten seconds later', async () => {
    await settled();
    let killed = '';
    world.receive = (_, __, agent) => {
      if (killed !== '') return takes;
      killed = agent.name;
      world.kill(agent);
      return { isTaken: false, afterMs: 100 };
    };
    world.find('node:c/n7');
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened node:c/n7']);
    expect(world.taken[0]?.by).not.toBe(killed);
    const [first, second] = world.tried;
    const laterMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(laterMs).toBeGreaterThanOrEqual(7000);
    expect(laterMs).toBeLessThanOrEqual(20_000);
  });

  test('find a way to a receiver that some nodes do not reach', async () => {
    await settled();
    const blocked = new Set(world.agents.slice(0, 8).map(({ name }) => name));
    world.receive = (_, __, { name }) => (blocked.has(name) ? refuses('no route') : takes);
    world.find('node:c/n12');
    await world.run(20 * minuteMs);
    expect(world.told()).toEqual(['r1 opened node:c/n12']);
  });

  test('tell once where the receiver is as slow as may be', async () => {
    await settled();
    world.receive = () => ({ ...takes, afterMs: 9500 });
    for (let at = 1; at <= 4; at++) world.find(`node:c/n${at}`);
    await world.run(5 * minuteMs);
    expect(new Set(world.told()).size).toBe(4);
    expect(world.told()).toHaveLength(4);
  });

  test('tell alone where the cluster is one node, and where it is three', async () => {
    await settled([{}], 1);
    world.find('target-down:db', { kind: 'target-down', node: undefined });
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened target-down:db']);
    await settled([{}], 3);
    world.kill(world.agent(3));
    world.find('node:c/n3');
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened node:c/n3']);
  });
});
