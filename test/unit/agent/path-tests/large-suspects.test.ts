import { expect, test } from 'vitest';
import { LargeSuspects } from '../../../../agent/path-tests/large/large-suspects.js';
import { LargePaths } from '../../../../agent/path-tests/large/large-paths.js';
import type { Path } from '../../../../agent/model/path.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';

const pathTo = (number: number, plane: Path['plane'] = 'host'): Path => ({
  node: `c/n${number}`,
  plane,
  ip: `192.0.2.${number}`,
});
const nodes = [2, 3, 4, 5];
const paths = [...nodes.map((number) => pathTo(number)), pathTo(2, 'endpoint')];
const router = { address: '192.0.2.254', bytes: 1410 };

/** An agent on node 1 whose paths all passed at that time. */
function agent(testedMs = 0) {
  const known = new LargePaths();
  runAtOnce(known.setPaths(paths, nodes.length + 1, 0));
  for (const path of paths) known.take(path, 'answered', { ms: testedMs, at: testedMs });
  const doubt = new LargeSuspects({ paths: known, localName: 'c/n1', random: () => 0.5 });
  const due = (nowMs: number): string[] => {
    const found: string[] = [];
    for (let path; (path = known.next(nowMs));) found.push(`${path.plane} ${path.node}`);
    return found.sort();
  };
  const lose = (path: Path, outcome: 'lost-there' | 'lost-back', ms: number): void => {
    for (let time = 0; time < 3; time++) known.take(path, outcome, { ms, at: ms });
  };
  return { known, doubt, due, lose };
}

const minute = 60_000;

test('the path to a node of which there is news is tested soon, at most once in a minute', () => {
  const { known, doubt, due } = agent();
  const [path] = paths;
  if (!path) throw new Error('expected a path');
  expect(doubt.suspect(path, 5, minute)).toBe(true);
  expect(doubt.suspect(path, 5, minute)).toBe(false);
  expect(due(minute + 999)).toEqual([]);
  expect(due(minute + 1000)).toEqual(['host c/n2']);
  known.take(path, 'answered', { ms: minute + 1000, at: 0 });
  expect(doubt.suspect(pathTo(99), 5, 2 * minute)).toBe(false);
});

test('news that comes within the minute is not forgotten', () => {
  const { doubt, due } = agent();
  const [path] = paths;
  if (!path) throw new Error('expected a path');
  expect(doubt.suspect(path, 5, 1000)).toBe(true);
  expect(doubt.suspect(path, 5, 2000)).toBe(false);
  expect(due(minute + 999)).toEqual([]);
  expect(due(minute + 1000)).toEqual(['host c/n2']);
});

test('where much changes half of the tests are for it, so that the others go on', () => {
  const known = new LargePaths();
  const many = Array.from({ length: 100 }, (_, number) => pathTo(number));
  runAtOnce(known.setPaths(many, 100, 0));
  for (const path of many) known.take(path, 'answered', { ms: 0, at: 0 });
  const doubt = new LargeSuspects({ paths: known, localName: 'c/n1', random: () => 0 });
  const suspects = (nowMs: number) => many.filter((path) => doubt.suspect(path, 100, nowMs)).length;
  expect([suspects(minute), suspects(minute + 1), suspects(2 * minute)]).toEqual([30, 0, 30]);
});

test('the paths to a node in doubt are tested soon, and no others', () => {
  const { doubt, due } = agent();
  doubt.take([{ node: 'c/n2', lostMs: minute }], 5, minute + 1000);
  expect(due(minute + 1999)).toEqual([]);
  expect(due(minute + 2000)).toEqual(['endpoint c/n2', 'host c/n2']);
});

test('all paths are, where the own node is in doubt', () => {
  const { doubt, due } = agent();
  doubt.take([{ node: 'c/n1', lostMs: minute }], 5, minute + 1000);
  expect(due(minute + 2000)).toHaveLength(paths.length);
});

test('many agents take their time, so that one node is not tested by all at once', () => {
  const { doubt, due } = agent();
  doubt.take([{ node: 'c/n2', lostMs: minute }], 1600, minute);
  // 16 a second: 1,600 agents take 100 seconds, and this one has half of them.
  expect(due(minute + 49_999)).toEqual([]);
  expect(due(minute + 50_000)).toHaveLength(2);
});

test('what was tested since the loss, or just now, is not tested again for it', () => {
  const { doubt, due } = agent(minute);
  doubt.take([{ node: 'c/n2', lostMs: minute - 1 }], 5, 2 * minute);
  expect(due(3 * minute)).toEqual([]);
  doubt.take([{ node: 'c/n2', lostMs: minute + 1 }], 5, minute + 29_000);
  expect(due(3 * minute)).toEqual([]);
  doubt.take([{ node: 'c/n2', lostMs: minute + 1 }], 5, 2 * minute);
  expect(due(3 * minute)).toHaveLength(2);
});

test('a node that answers no such test is not asked for each look', () => {
  const { known, doubt, due } = agent();
  const now = 2 * minute;
  doubt.take([{ node: 'c/n2', lostMs: minute }], 5, now);
  for (const path of paths) known.take(path, 'unknown', { ms: now + 3000, at: 0 });
  doubt.take([{ node: 'c/n2', lostMs: minute }], 5, now + 4000);
  expect(due(now + minute)).toEqual([]);
});

test('a row tells nothing while large packets are lost nowhere', () => {
  const { doubt } = agent();
  expect(doubt.row(minute)).toBeUndefined();
  doubt.take([], 5, minute);
  expect(doubt.row(minute)).toBeUndefined();
});

test('it tells what is lost, with the limit, and what passed since', () => {
  const { known, doubt, lose } = agent();
  lose(pathTo(3), 'lost-there', 10 * minute);
  known.setLimit(pathTo(3), { bytes: 1410, interfaceBytes: 1500, saidBy: router });
  doubt.take([{ node: 'c/n3', lostMs: 10 * minute }], 5, 10 * minute);
  known.take(pathTo(4), 'answered', { ms: 10 * minute + 5000, at: 0 });
  expect(doubt.row(10 * minute + 7500)).toEqual({
    lost: [
      {
        node: 'c/n3',
        plane: 'host',
        ageSeconds: 7,
        limit: { bytes: 1410, interfaceBytes: 1500, saidBy: router.address },
      },
    ],
    passed: [{ node: 'c/n4', plane: 'host', ageSeconds: 2 }],
  });
});

test('it does not tell that large packets pass where the last one was lost', () => {
  const { known, doubt } = agent(minute);
  known.take(pathTo(4), 'lost-there', { ms: minute + 5000, at: 0 });
  doubt.take([{ node: 'c/n3', lostMs: minute }], 5, minute + 6000);
  const passed = doubt.row(minute + 6000)?.passed.map(({ node, plane }) => `${plane} ${node}`);
  expect(passed?.sort()).toEqual(['endpoint c/n2', 'host c/n2', 'host c/n3', 'host c/n5']);
});

test('each of two agents tells of its own direction, and of endpoints both are told', () => {
  const { doubt, lose } = agent();
  lose(pathTo(3), 'lost-back', minute);
  lose(pathTo(2, 'endpoint'), 'lost-back', minute);
  expect(doubt.row(minute)?.lost).toEqual([
    { node: 'c/n2', plane: 'endpoint', ageSeconds: 0, isBack: true },
  ]);
});
