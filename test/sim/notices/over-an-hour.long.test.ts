import { describe, expect, test } from 'vitest';
import { alertHoldsMs } from '../../../agent/notices/sending/alertmanager.js';
import { minuteMs, refuses, settledWorld, type NoticeWorld } from './notice-world.js';

let world: NoticeWorld;

const settled = async (receivers?: readonly object[], size = 12) =>
  (world = await settledWorld(size, receivers));

describe('the agents of a cluster, over an hour', () => {
  test('keep an alert of an Alertmanager that half of them have no way to', async () => {
    await settled([{ type: 'alertmanager' }], 6);
    world.canRenew = ({ name }) => Number(name.slice(3)) % 2 === 0;
    world.find('node:c/n5');
    await world.run(100 * minuteMs);
    const at = world.renewed.map((notice) => Date.parse(notice.at));
    const gapsMs = at.slice(1).map((ms, index) => ms - (at[index] ?? 0));
    expect(Math.max(...gapsMs)).toBeLessThan(alertHoldsMs);
  });

  test('tell nothing twice after a restart, within an hour, of one or of all but one', async () => {
    await settled();
    world.find('node:c/n7');
    await world.run(minuteMs);
    world.close('node:c/n7');
    await world.run(2 * minuteMs);
    world.find('node:c/n8');
    await world.run(minuteMs);
    const told = world.told();
    expect(told).toHaveLength(3);
    for (const agent of world.agents.slice(1)) {
      world.kill(agent);
      world.start(agent);
    }
    await world.run(10 * minuteMs);
    world.kill(world.agent(1));
    world.start(world.agent(1));
    await world.run(40 * minuteMs);
    expect(world.told()).toEqual(told);
  });

  test('ask a receiver that fails again after 5, 10, 20 ... 300 s, one at a time, for an hour', async () => {
    await settled();
    world.receive = () => refuses('503');
    world.find('node:c/n7');
    await world.run(70 * minuteMs);
    const gaps = world.tried.slice(1).map(({ atMs }, at) => {
      return Math.round((atMs - (world.tried[at]?.atMs ?? 0)) / 1000);
    });
    const wanted = [5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300];
    gaps.forEach((gap, at) => {
      expect(gap).toBeGreaterThanOrEqual(wanted[at] ?? Infinity);
      expect(gap).toBeLessThanOrEqual((wanted[at] ?? 0) + 13);
    });
    expect(gaps.length).toBeGreaterThanOrEqual(14);
    expect(new Set(world.tried.map(({ by }) => by)).size).toBeGreaterThan(5);
    const problems = world.agents.flatMap(({ problems }) => problems.list());
    expect(problems[0]).toBe('the receiver r1 (webhook) does not take notices: 503');
    const { receivers, notices } = world.agent(1).notices?.body() ?? {};
    expect(receivers).toMatchObject([{ name: 'r1', failures: world.tried.length }]);
    expect(notices?.some(({ outcome }) => outcome === 'given-up')).toBe(true);
  });
});
