import { describe, expect, test } from 'vitest';
import type { GetOutcome } from '../../../../agent/path-tests/large/large-get.js';
import { LargePaths } from '../../../../agent/path-tests/large/large-paths.js';
import {
  testPath,
  type LargeTesterOptions,
} from '../../../../agent/path-tests/large/large-tester.js';
import type { Path } from '../../../../agent/model/path.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';

const path: Path = { node: 'c/n1', plane: 'host', ip: '192.0.2.1' };
const other: Path = { node: 'c/n2', plane: 'host', ip: '192.0.2.2' };
const { signal } = new AbortController();

/** A tester whose GETs have these outcomes, one after the other, and what it finds and says. */
function tester(outcomes: GetOutcome[], limit = { bytes: 1410, interfaceBytes: 1500 }) {
  const paths = new LargePaths();
  runAtOnce(paths.setPaths([path], 1, 0));
  const sizes: boolean[] = [];
  const said: unknown[] = [];
  const options: LargeTesterOptions = {
    paths,
    clock: { nowMs: () => 0, wallMs: () => 1000, after: () => () => undefined },
    get: (_, isLarge) => {
      sizes.push(isLarge);
      return Promise.resolve(outcomes.shift() ?? 'unknown');
    },
    findLimit: () => Promise.resolve(limit),
    refresh: () => Promise.resolve(),
    onLost: (lost) => void said.push(['lost', lost.node]),
    onLimit: (_, found) => void said.push(['limit', found?.bytes]),
    onMended: (mended) => void said.push(['mended', mended.node]),
  };
  return { paths, sizes, said, run: () => testPath(path, options, signal) };
}

describe('large packets', () => {
  test('are lost after three losses beside small ones that pass, and the limit is found', async () => {
    const { paths, sizes, said, run } = tester([
      'lost-there',
      'answered',
      'lost-there',
      'answered',
      'lost-there',
      'answered',
    ]);
    await run();
    await run();
    expect([paths.of(path)?.state, said]).toEqual(['unknown', []]);
    await run();
    expect(paths.of(path)).toMatchObject({
      state: 'lost',
      isBack: false,
      sinceAt: 1000,
      limit: { bytes: 1410 },
    });
    expect(sizes).toEqual([true, false, true, false, true, false]);
    expect(said).toEqual([
      ['lost', 'c/n1'],
      ['limit', 1410],
    ]);
  });

  test('are not lost where small ones are lost too, as at an agent that has stopped', async () => {
    const { paths, run } = tester(Array<GetOutcome>(20).fill('lost-there'));
    for (let round = 0; round < 10; round++) await run();
    expect(paths.of(path)?.state).toBe('unknown');
  });

  test('pass again after one answer, and the limit is forgotten', async () => {
    const { paths, said, run } = tester([
      ...Array<GetOutcome[]>(3).fill(['lost-there', 'answered']).flat(),
      'answered',
    ]);
    for (let round = 0; round < 4; round++) await run();
    expect(paths.of(path)).toMatchObject({ state: 'ok' });
    expect(paths.of(path)?.limit).toBeUndefined();
    expect(said.at(-1)).toEqual(['mended', 'c/n1']);
  });

  test('keep their state where a test says nothing', async () => {
    const { paths, run } = tester(['answered', 'unknown', 'lost-there', 'unknown']);
    for (let round = 0; round < 3; round++) await run();
    expect(paths.of(path)?.state).toBe('ok');
  });

  test('are lost on the way back where the request came', async () => {
    const { paths, run } = tester(Array<GetOutcome[]>(3).fill(['lost-back', 'answered']).flat());
    for (let round = 0; round < 3; round++) await run();
    expect(paths.of(path)).toMatchObject({ state: 'lost', isBack: true });
  });

  test('are lost on the way there where the responder said so once of three', async () => {
    const ways = ['lost-back', 'lost-there', 'lost-back'] as const;
    const { paths, run } = tester(ways.flatMap((way): GetOutcome[] => [way, 'answered']));
    for (let round = 0; round < 3; round++) await run();
    expect(paths.of(path)).toMatchObject({ state: 'lost', isBack: false });
  });

  test('are tested where it is longest due, more often while in doubt, and not of nodes that went', () => {
    const paths = new LargePaths();
    runAtOnce(paths.setPaths([path, other], 2, 0));
    const now = { ms: 0, at: 0 };
    expect([paths.next(0), paths.next(999)]).toEqual([path, undefined]);
    paths.take(path, 'answered', now);
    expect(paths.next(1000)).toEqual(other);
    paths.take(other, 'lost-there', now);
    expect([paths.next(1999), paths.next(2000)]).toEqual([undefined, other]);
    paths.take(other, 'answered', { ms: 2000, at: 0 });
    expect([paths.next(599_999), paths.next(600_000)]).toEqual([undefined, path]);
    runAtOnce(paths.setPaths([other], 1000, 600_000));
    expect([paths.of(path), paths.next(602_000)]).toEqual([undefined, other]);
    paths.take(other, 'answered', { ms: 602_000, at: 0 });
    expect([paths.next(602_000 + 3_599_999), paths.nextDueMs()]).toEqual([
      undefined,
      602_000 + 3_600_000,
    ]);
  });
});

test('what is lost is counted right where a test ends while its node leaves the list', () => {
  const paths = new LargePaths();
  const all = Array.from({ length: 300 }, (_, at) => ({ ...path, node: `c/n${at}` }));
  runAtOnce(paths.setPaths(all, 300, 0));
  const lose = (of: Path) => {
    for (const ms of [0, 1000, 2000]) paths.take(of, 'lost-there', { ms, at: 0 });
  };
  const [first = path] = all;
  const gone = all[200] ?? path;
  lose(gone);
  const left = all.filter((one) => one !== gone);
  const steps = paths.setPaths(left, left.length, 5000);
  for (let step = 0; step < 4; step++) expect(steps.next().done).toBe(false);
  paths.take(gone, 'answered', { ms: 6000, at: 0 });
  while (!steps.next().done);
  expect(paths.lost).toBe(0);
  lose(first);
  expect(paths.lost).toBe(1);
});
