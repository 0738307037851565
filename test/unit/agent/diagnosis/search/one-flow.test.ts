import { describe, expect, test } from 'vitest';
import { found, n, type PathOf, type Saying } from '../cluster.js';

const flows = { tried: 64, failing: 8, sometimes: 0 };
const count = 24;

/** A node of which each connection may take a dead link: GETs are lost on all its paths, echoes as is said. */
function withDeadLink(
  echo: (path: PathOf) => Saying,
  get: (path: PathOf) => Saying = () => 'lossy',
) {
  return found(count, {
    says(path) {
      if (path.from !== n(7) && path.to !== n(7)) return undefined;
      return path.protocol === 'icmp' ? echo(path) : get(path);
    },
  });
}

const isWith = ({ from, to }: PathOf, ...numbers: readonly number[]) =>
  numbers.some((number) => from === n(number) || to === n(number));

describe('a node of which one of several links is dead', () => {
  test('is one finding: the echoes that always take it are no finding of their own', () => {
    const { findings, unexplained } = withDeadLink(
      (path) => (isWith(path, 2, 5) && path.plane === 'host' ? 'unreachable' : undefined),
      () => ({ state: 'lossy', flows }),
    );
    expect(findings).toMatchObject([{ kind: 'lossy', node: n(7), explains: 4 * 23 + 4 }]);
    expect(findings[0]?.text).toContain(
      'lose probes by HTTP, as 23 of 23 nodes see it; 4 paths never answer by ICMP, where each path is one flow; on 92 paths',
    );
    expect(unexplained).toBe(0);
  });

  test('is one finding before any flow was tested', () => {
    const { findings, unexplained } = withDeadLink((path) =>
      isWith(path, 2, 5) ? 'unreachable' : undefined,
    );
    expect(findings).toMatchObject([{ kind: 'lossy', node: n(7) }]);
    expect(unexplained).toBe(0);
  });

  test('has two troubles if all its echoes fail', () => {
    const { findings } = withDeadLink(
      () => 'unreachable',
      () => ({ state: 'lossy', flows }),
    );
    expect(findings.map(({ kind }) => kind)).toEqual(['icmp-filtered', 'lossy']);
  });

  test('explains that a path is down for a moment, not that it is for long', () => {
    const outage = (ageSeconds: number) =>
      withDeadLink(
        () => undefined,
        (path) =>
          isWith(path, 2) ? { state: 'unreachable', ageSeconds } : { state: 'lossy', flows },
      ).findings.map(({ kind }) => kind);
    expect(outage(10)).toEqual(['lossy']);
    expect(outage(600)).toEqual(['pair', 'lossy']);
  });
});

test('a pair that was cut just now is no moment of a node that loses packets at random', () => {
  const says = (path: PathOf) =>
    !isWith(path, 5)
      ? undefined
      : isWith(path, 3)
        ? ({ state: 'unreachable', ageSeconds: 18 } as const)
        : ({ state: 'lossy', ageSeconds: 480, lost: 9 } as const);
  const { findings, unexplained } = found(5, { says });
  expect(findings.map(({ id }) => id)).toEqual(['pair:c/n3,c/n5', 'lossy:c/n5']);
  expect(unexplained).toBe(0);
});

test('echoes that fail beside echoes that are lost at random are a finding', () => {
  const { findings } = withDeadLink((path) => (isWith(path, 2) ? 'unreachable' : 'lossy'));
  expect(findings.map(({ kind }) => kind)).toEqual(['pair', 'lossy']);
});

test('two zones between which one of several paths is dead are one finding, beside a node that drops echoes', () => {
  const zones = Array.from({ length: count }, (_, at) => (at < 8 ? 'a' : at < 16 ? 'b' : 'c'));
  const zoneOf = (name: string) => zones[Number(name.slice(3)) - 1];
  const { findings, unexplained } = found(count, {
    zones,
    says(path) {
      const [from, to] = [zoneOf(path.from), zoneOf(path.to)];
      if (path.protocol === 'icmp' && isWith(path, 3)) return 'unreachable';
      if (from === to || from === 'c' || to === 'c') return undefined;
      if (path.protocol === 'http') return { state: 'lossy', flows };
      return isWith(path, 1) && isWith(path, 9, 10) ? 'unreachable' : undefined;
    },
  });
  expect(findings.map(({ id }) => id)).toEqual(['icmp-filtered:c/n3', 'lossy:a,b']);
  expect(unexplained).toBe(0);
});

test('echoes that fail for a moment where many are lost are no finding beside it, and are not said never to pass', () => {
  const says = (path: PathOf): Saying => {
    if (!isWith(path, 7)) return undefined;
    const isDown = path.protocol === 'icmp' && [2, 5, 9, 11, 13].map(n).includes(path.from);
    return isDown && path.plane === 'host'
      ? { state: 'unreachable', ageSeconds: 12 }
      : { state: 'lossy', ageSeconds: 400, lost: 6 };
  };
  const { findings, unexplained } = found(40, { says });
  expect(findings.map(({ id }) => id)).toEqual(['lossy:c/n7']);
  expect(findings[0]?.text).not.toContain('never answer');
  expect(unexplained).toBe(0);
});
