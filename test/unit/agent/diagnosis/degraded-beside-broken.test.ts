import { describe, expect, test } from 'vitest';
import { found, idsOf, n, watching, type LookOf, type PathOf, type Saying } from './cluster.js';
import { isAt, isOn, isTo } from './paths.js';

const zones = Array.from({ length: 12 }, (_, at) => ['a', 'b', 'c'][at % 3] ?? '');
const ids = (says: (path: PathOf) => Saying) => idsOf(found(12, { zones, says }));
const lossy = { state: 'lossy', ageSeconds: 600 } as const;
const slow = { state: 'slow', ageSeconds: 900 } as const;

describe('losses and slowness beside what is broken', () => {
  test('are told where they are on other channels of the same node', () => {
    const hangs = isTo(n(3), 'endpoint', 'http');
    const says = (path: PathOf) =>
      hangs(path) ? 'unreachable' : isAt(n(3), 'icmp')(path) ? slow : undefined;
    expect(ids(says)).toEqual(['endpoint:c/n3', 'slow:c/n3']);
  });

  test('are told where the node is reached, and its own probes fail', () => {
    const says = (path: PathOf) =>
      path.from === n(3) ? 'unreachable' : isTo(n(3), 'icmp')(path) ? lossy : undefined;
    expect(ids(says)).toEqual(['node:c/n3', 'lossy:c/n3']);
  });

  test('are told of a zone of which the paths to another one are cut', () => {
    const zoneOf = (node: string) => zones[Number(node.slice('c/n'.length)) - 1] ?? '';
    const between = ({ from, to }: PathOf) => [zoneOf(from), zoneOf(to)].sort().join('');
    const says = (path: PathOf) =>
      between(path) === 'ab'
        ? 'unreachable'
        : between(path) === 'bc' && isOn('icmp')(path)
          ? slow
          : undefined;
    expect(ids(says)).toEqual(['zones:a,b', 'slow:b,c']);
  });

  test('are not told where most of these paths are broken anyway: some rows are of before', () => {
    const isOld = (node: string) => [2, 5, 8, 11].map(n).includes(node);
    const says = (path: PathOf) => {
      if (!isAt(n(3))(path)) return undefined;
      return isOn('icmp')(path) && isOld(path.from) ? lossy : 'unreachable';
    };
    expect(idsOf(found(24, { says, without: [n(3)] }))).toEqual(['node:c/n3']);
  });

  test('are not told of a target that most others do not reach at all', () => {
    const isLossy = ({ from }: LookOf) => [2, 5, 8].map(n).includes(from);
    const look = watching(12);
    const at = (seconds: number) => {
      const ages = { ageSeconds: seconds, probedSeconds: 0 };
      const saysOf = (of: LookOf) => (isLossy(of) ? { state: 'lossy' as const, ...ages } : ages);
      return idsOf(look(seconds, { targets: ['web'], saysOf }));
    };
    for (let seconds = 0; seconds < 100; seconds += 10) at(seconds);
    expect(at(100)).toEqual(['target-down:web']);
  });
});
