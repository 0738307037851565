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

describe('a receiver that was away for more than an hour', () => {
  test('is told what has been due for less, beside what was given up', async () => {
    await settled();
    world.receive = () => refuses('503');
    const [older, newer] = [pairs(12).slice(0, 6), pairs(12).slice(6)];
    openAll(older);
    await world.run(35 * minuteMs);
    openAll(newer);
    await world.run(30 * minuteMs);
    world.receive = () => takes;
    await world.run(2 * hourMs);
    expect(world.told()).toEqual(['r1 storm 6/6']);
  });

  test('is told that a finding became worse', async () => {
    await settled();
    world.receive = () => refuses('503');
    world.find('node:c/n3', { severity: 'degraded' });
    await world.run(70 * minuteMs);
    world.receive = () => takes;
    await world.run(2 * hourMs);
    expect(world.told()).toEqual([]);
    world.change('node:c/n3', { severity: 'broken' });
    await world.run(hourMs);
    expect(world.told()).toEqual(['r1 opened node:c/n3']);
  });
});

test('an Alertmanager that was away is not told again what is over', async () => {
  await settled([{ type: 'alertmanager' }], 12);
  world.find('node:c/n3');
  await world.run(minuteMs);
  [world.receive, world.canRenew] = [() => refuses('503'), () => false];
  await world.run(5 * minuteMs);
  world.close('node:c/n3');
  await world.run(30 * minuteMs);
  [world.receive, world.canRenew] = [() => takes, () => true];
  world.renewed.length = 0;
  await world.run(10 * minuteMs);
  expect(world.renewed).toEqual([]);
  expect(world.told().at(-1)).toBe('r1 closed node:c/n3');
});

test('a finding after 130 that closed within an hour is told once', async () => {
  await settled(undefined, 12);
  for (let at = 1; at <= 130; at++) {
    world.find(`node:c/x${at}`);
    await world.run(16_000);
    world.close(`node:c/x${at}`);
  }
  await world.run(2 * minuteMs);
  const { length } = world.taken;
  world.find('node:c/long');
  await world.run(10 * minuteMs);
  world.close('node:c/long');
  await world.run(3 * minuteMs);
  expect(world.told().slice(length)).toEqual(['r1 opened node:c/long', 'r1 closed node:c/long']);
}, 120_000);

test.each(['nothing happens', 'the teller restarts', 'one try fails'])(
  'what began before a storm and comes after it is told where %s',
  async (what) => {
    await settled(undefined, 12);
    await world.run(2 * minuteMs);
    openAll(pairs(8));
    await world.run(10_000);
    const since = world.now();
    openAll(pairs(10).slice(8));
    await world.run(3 * minuteMs);
    const teller = world.agents.find(({ name }) => name === world.taken.at(-1)?.by);
    if (!teller) throw new Error('expected a storm that was told');
    if (what === 'the teller restarts') {
      const open = new Map(teller.open);
      world.kill(teller);
      await world.run(5000);
      world.start(teller);
      for (const [id, one] of open) teller.open.set(id, one);
      await world.run(minuteMs);
    }
    let failures = what === 'one try fails' ? 1 : 0;
    world.receive = () => (failures-- > 0 ? refuses('503') : takes);
    world.find('slow:c/n20', { kind: 'slow', severity: 'degraded', node: undefined, since });
    await world.run(hourMs);
    expect(world.told().filter((one) => one.includes('slow'))).toEqual(['r1 opened slow:c/n20']);
  },
);
