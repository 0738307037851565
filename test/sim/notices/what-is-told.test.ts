import { expect, test } from 'vitest';
import type { Finding } from '../../../api/schema/v1/findings.js';
import {
  hourMs,
  minuteMs,
  refuses,
  settledWorld,
  takes,
  type NoticeWorld,
} from './notice-world.js';

let world: NoticeWorld;

const settled = async (receivers?: readonly object[], size = 3) =>
  (world = await settledWorld(size, receivers));

const names = (notices: readonly { finding?: Finding; earlier?: readonly Finding[] }[]): string[] =>
  notices.map(({ finding, earlier = [] }) =>
    [finding, ...earlier].map((one) => `${one?.kind ?? ''} ${one?.severity ?? ''}`).join(', '),
  );

test('an Alertmanager is told again with the severity that it knows, and what was before with the change', async () => {
  await settled([{ type: 'alertmanager' }]);
  world.find('zones:a,b', { kind: 'zones', severity: 'degraded', node: undefined });
  await world.run(minuteMs);
  world.change('zones:a,b', { severity: 'broken' });
  await world.run(5 * minuteMs);
  expect(world.told()).toEqual(['r1 opened zones:a,b', 'r1 changed zones:a,b']);
  expect(names(world.taken.map(({ notice }) => notice))).toEqual([
    'zones degraded',
    'zones broken, zones degraded, zones degraded',
  ]);
  // It changes what it calls the same finding: who tells it again half a minute later ends the former name.
  world.change('zones:a,b', { kind: 'pair', pair: ['c/n1', 'c/n2'] });
  world.renewed.length = 0;
  await world.run(2 * minuteMs);
  expect(names(world.renewed).at(-1)).toBe('pair broken, zones broken, zones degraded');
  world.change('zones:a,b', { severity: 'degraded' });
  await world.run(10_000);
  world.close('zones:a,b');
  await world.run(3 * minuteMs);
  expect(names(world.taken.map(({ notice }) => notice)).at(-1)).toMatch(
    /^pair degraded, pair broken, zones broken/,
  );
});

test('an Alertmanager is not told what a finding is called only as it ends', async () => {
  await settled([{ type: 'alertmanager' }]);
  world.find('target-down:db', { kind: 'target-down', node: undefined, target: 'db' });
  await world.run(minuteMs);
  world.renewed.length = 0;
  // The first nodes reach it again.
  world.change('target-down:db', { kind: 'target-unreachable' });
  await world.run(5000);
  world.close('target-down:db');
  await world.run(2 * minuteMs);
  expect(world.renewed.length).toBeGreaterThan(0);
  for (const { finding } of world.renewed) expect(finding?.kind).toBe('target-down');
  const closed = world.taken.map(({ notice }) => notice).at(-1);
  expect(closed?.event).toBe('closed');
  expect(names(closed ? [closed] : [])).toEqual([
    'target-down broken, target-unreachable broken, target-down broken',
  ]);
});

test('receivers of another cluster are others, whatever they are called', async () => {
  await settled();
  const [first] = world.agents;
  world.find('node:c/n3');
  await world.run(minuteMs);
  expect(world.told()).toEqual(['r1 opened node:c/n3']);
  const other = await settledWorld(3);
  for (const agent of other.agents) agent.notices?.hear('d/n1', first?.notices?.row() ?? [], 0);
  other.find('node:c/n3');
  await other.run(minuteMs);
  expect(other.told()).toEqual(['r1 opened node:c/n3']);
});

test.each([
  ['a finding', 1],
  ['a storm', 8],
])(
  '%s that began at the edge of an hour has the same id, whichever agent tells it',
  async (_, count) => {
    await settled([{}], 12);
    // The next whole hour, less the time in which a storm settles.
    await world.run(hourMs - (world.clock.wallMs() % hourMs) - (count > 1 ? 15_000 : 3000));
    let killed = '';
    world.receive = (__, ___, agent) => {
      if (killed !== '') return takes;
      killed = agent.name;
      world.kill(agent);
      // The others believe that it began some seconds later.
      for (const { open } of world.agents) {
        for (const [id, one] of open) {
          const since = new Date(Date.parse(one.since) + 5000).toISOString();
          open.set(id, { ...one, since });
        }
      }
      return { isTaken: true, afterMs: 100 };
    };
    const ids = Array.from({ length: count }, (__, at) => `pair:${at}`);
    for (const id of ids) world.find(id, { kind: 'pair', node: undefined });
    await world.run(2 * minuteMs);
    expect(killed).not.toBe('');
    const messages = world.taken.map(({ notice: { id } }) => id);
    expect(messages).toHaveLength(2);
    expect(new Set(messages).size).toBe(1);
  },
);

test('each agent counts what it sent to each receiver of the file, renewed alerts too, and what failed', async () => {
  await settled([{}, { type: 'alertmanager' }], 1);
  const [alone] = world.agents;
  const counts = () => alone?.notices?.counts();
  expect(counts()).toEqual([
    { receiver: 'r1', sent: 0, failed: 0 },
    { receiver: 'r2', sent: 0, failed: 0 },
  ]);
  world.receive = (_, { name }) => (name === 'r1' ? refuses('503') : takes);
  world.find('pair:0', { kind: 'pair', node: undefined });
  await world.run(5 * minuteMs);
  const [first, second] = counts() ?? [];
  expect(first?.failed).toBe(world.tried.filter(({ receiver }) => receiver === 'r1').length);
  expect(first?.failed).toBeGreaterThan(3);
  expect(first?.sent).toBe(first?.failed);
  expect(second).toEqual({ receiver: 'r2', sent: 1 + world.renewed.length, failed: 0 });
  world.receivers = world.receivers.slice(1);
  await world.run(2000);
  expect(counts()).toEqual([second]);
});

test('what other agents told is listed: storms too, and what opened again as opened', async () => {
  await settled([{}], 3);
  world.find('pair:0', { kind: 'pair', node: undefined });
  await world.run(minuteMs);
  world.close('pair:0');
  await world.run(5 * minuteMs);
  world.find('pair:0', { kind: 'pair', node: undefined });
  await world.run(minuteMs);
  for (let at = 1; at <= 8; at++) world.find(`pair:${at}`, { kind: 'pair', node: undefined });
  await world.run(minuteMs);
  for (let at = 1; at <= 8; at++) world.close(`pair:${at}`);
  await world.run(3 * minuteMs);
  const sent = ['opened', 'closed', 'opened', 'storm', 'storm'];
  expect(world.taken.map(({ notice }) => notice.event)).toEqual(sent);
  const told = world.agents.map(({ notices }) =>
    (notices?.body().notices ?? []).map(({ event }) => event).reverse(),
  );
  expect(told).toEqual([sent, sent, sent]);
  const texts = world.agents.flatMap(({ notices }) =>
    (notices?.body().notices ?? []).filter(({ event }) => event === 'storm'),
  );
  expect(
    texts
      .filter(({ outcome }) => outcome === 'told')
      .map(({ text }) => text)
      .sort(),
  ).toEqual([
    ...['all findings of a storm have closed', 'all findings of a storm have closed'],
    ...['several findings at once', 'several findings at once'],
  ]);
});
