import { describe, expect, test } from 'vitest';
import {
  hourMs,
  minuteMs,
  readReceivers,
  refuses,
  settledWorld,
  takes,
  type NoticeWorld,
} from './notice-world.js';

let world: NoticeWorld;

const settled = async (receivers?: readonly object[], size = 3) =>
  (world = await settledWorld(size, receivers));

const pairs = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `pair:c/x${at + 1},c/y${at + 1}`);
const openAll = (ids: readonly string[]): void => {
  for (const id of ids) world.find(id, { kind: 'pair', node: undefined });
};

describe('a storm', () => {
  test('that lasts for hours is not told as over, and is renewed at an Alertmanager', async () => {
    await settled([{ type: 'alertmanager' }]);
    openAll(pairs(8));
    await world.run(150 * minuteMs);
    expect(world.told()).toEqual(['r1 storm 8/8']);
    expect(world.renewed.length).toBeGreaterThanOrEqual(145);
    expect(new Set(world.renewed.map(({ storm }) => storm?.open))).toEqual(new Set([8]));
    for (const id of pairs(8)) world.close(id);
    await world.run(3 * minuteMs);
    expect(world.told()).toEqual(['r1 storm 8/8', 'r1 storm 8/0']);
    const { length } = world.renewed;
    await world.run(3 * minuteMs);
    expect(world.renewed).toHaveLength(length);
  });

  test('is not over while another finding stands for its findings', async () => {
    await settled();
    openAll(pairs(8));
    await world.run(2 * minuteMs);
    world.isStillPart = ({ kind }) => kind === 'pair';
    for (const id of pairs(8)) world.close(id);
    await world.run(10 * minuteMs);
    expect(world.told()).toEqual(['r1 storm 8/8']);
    world.isStillPart = () => false;
    await world.run(5 * minuteMs);
    expect(world.told().slice(1)).toEqual(['r1 storm 8/0']);
  });

  test('is not made by findings that closed', async () => {
    await settled();
    for (const id of pairs(40)) {
      world.find(id, { kind: 'pair', node: undefined });
      await world.run(20_000);
      world.close(id);
    }
    await world.run(3 * minuteMs);
    world.find('node:c/n3');
    await world.run(minuteMs);
    expect(world.told()).toHaveLength(81);
    expect(world.told().filter((one) => one.includes('storm'))).toEqual([]);
    expect(world.told().at(-1)).toBe('r1 opened node:c/n3');
  });
});

describe('the hour after which a message is given up', () => {
  test('begins when it is due: a receiver that was added later is told of what is open', async () => {
    await settled();
    world.find('node:c/n3');
    await world.run(2 * hourMs);
    world.receivers = readReceivers([{}, {}]);
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened node:c/n3', 'r2 opened node:c/n3']);
  });

  test('begins when it is due: a finding that was not selected at first', async () => {
    await settled([{ severities: ['broken'] }]);
    world.find('zones:a,b', { severity: 'degraded', node: undefined });
    await world.run(2 * hourMs);
    world.change('zones:a,b', { severity: 'broken' });
    await world.run(2 * minuteMs);
    expect(world.told()).toEqual(['r1 opened zones:a,b']);
  });

  test('does not begin while no agent may tell: what began in a split is told after it', async () => {
    await settled([{}], 4);
    const half = new Set(world.agents.slice(0, 2));
    world.hears = (a, b) => half.has(a) === half.has(b);
    world.find('zones:a,b', { kind: 'zones', node: undefined });
    await world.run(2 * hourMs);
    expect(world.told()).toEqual([]);
    world.hears = () => true;
    await world.run(minuteMs);
    expect(world.told()).toEqual(['r1 opened zones:a,b']);
  });

  test('is an hour of tries, and a finding that flaps has one', async () => {
    await settled();
    world.receive = () => refuses('400');
    world.find('node:c/n3');
    for (let turn = 0; turn < 16; turn++) {
      await world.run(4.5 * minuteMs);
      for (const { open } of world.agents) open.delete('node:c/n3');
      await world.run(0.5 * minuteMs);
      world.find('node:c/n3');
    }
    const { length } = world.tried;
    expect(length).toBeGreaterThan(10);
    await world.run(30 * minuteMs);
    expect(world.tried).toHaveLength(length);
  });
});

test('a message that a receiver refuses holds up no other one', async () => {
  await settled([{}], 12);
  world.receive = ({ finding }) => (finding?.id === 'node:c/n3' ? refuses('400') : takes);
  world.find('node:c/n3');
  await world.run(30_000);
  for (const id of ['node:c/n4', 'node:c/n5']) world.find(id);
  // The receiver is left alone for up to 40 seconds after three failures.
  await world.run(2 * minuteMs);
  expect(world.told().sort()).toEqual(['r1 opened node:c/n4', 'r1 opened node:c/n5']);
  for (const id of ['node:c/n4', 'node:c/n5']) world.close(id);
  await world.run(5 * minuteMs);
  expect(world.told().slice(2).sort()).toEqual(['r1 closed node:c/n4', 'r1 closed node:c/n5']);
  expect(world.tried.some(({ notice }) => notice.finding?.id === 'node:c/n3')).toBe(true);
});

test('one agent alone tells the others when one is refused', async () => {
  await settled([{}], 1);
  world.receive = ({ finding }) => (finding?.id === 'pair:a' ? refuses('400') : takes);
  for (const id of ['pair:a', 'pair:b', 'pair:c'])
    world.find(id, { kind: 'pair', node: undefined });
  await world.run(minuteMs);
  expect(world.told().sort()).toEqual(['r1 opened pair:b', 'r1 opened pair:c']);
});

test('a finding that became a part of one that stands for many is not told when it has lasted', async () => {
  await settled([{ after: '2m' }]);
  openAll(pairs(3));
  await world.run(minuteMs);
  world.isStillPart = ({ id }) => id !== 'many:pair';
  for (const id of pairs(3)) world.close(id);
  world.find('many:pair', { kind: 'pair', node: undefined, count: 20 });
  await world.run(10 * minuteMs);
  expect(world.told()).toEqual(['r1 opened many:pair']);
});
