import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, found, n, start, type LookOf, type PathOf, type Saying } from './cluster.js';

const zones = Array.from({ length: 12 }, (_, at) => ['a', 'b', 'c'][at % 3] ?? '');
const ids = (says: (path: PathOf) => Saying) =>
  found(12, { zones, says }).findings.map(({ id }) => id);
const at = (node: string) => (path: PathOf) => path.from === node || path.to === node;
const isEcho = ({ protocol }: PathOf) => protocol === 'icmp';
const lossy = { state: 'lossy', ageSeconds: 600 } as const;
const slow = { state: 'slow', ageSeconds: 900 } as const;

describe('losses and slowness beside what is broken', () => {
  test('are told where they are on other channels of the same node', () => {
    const hangs = ({ to, plane, protocol }: PathOf) =>
      to === n(3) && plane === 'endpoint' && protocol === 'http';
    const says = (path: PathOf) =>
      hangs(path) ? 'unreachable' : at(n(3))(path) && isEcho(path) ? slow : undefined;
    expect(ids(says)).toEqual(['endpoint:c/n3', 'slow:c/n3']);
  });

  test('are told where the node is reached, and its own probes fail', () => {
    const says = (path: PathOf) =>
      path.from === n(3) ? 'unreachable' : path.to === n(3) && isEcho(path) ? lossy : undefined;
    expect(ids(says)).toEqual(['node:c/n3', 'lossy:c/n3']);
  });

  test('are told of a zone of which the paths to another one are cut', () => {
    const zoneOf = (node: string) => zones[Number(node.slice('c/n'.length)) - 1] ?? '';
    const between = ({ from, to }: PathOf) => [zoneOf(from), zoneOf(to)].sort().join('');
    const says = (path: PathOf) =>
      between(path) === 'ab'
        ? 'unreachable'
        : between(path) === 'bc' && isEcho(path)
          ? slow
          : undefined;
    expect(ids(says)).toEqual(['zones:a,b', 'slow:b,c']);
  });

  test('are not told where most of these paths are broken anyway: some rows are of before', () => {
    const isOld = (node: string) => [2, 5, 8, 11].map(n).includes(node);
    const says = (path: PathOf) => {
      if (!at(n(3))(path)) return undefined;
      if (!isEcho(path)) return 'unreachable';
      return isOld(path.from) ? lossy : 'unreachable';
    };
    const { findings } = found(24, { says, without: [n(3)] });
    expect(findings.map(({ id }) => id)).toEqual(['node:c/n3']);
  });

  test('are not told of a target that most others do not reach at all', () => {
    const isLossy = ({ from }: LookOf) => [2, 5, 8].map(n).includes(from);
    let previous: DiagnosisOutput | undefined;
    for (let seconds = 0; seconds <= 100; seconds += 10) {
      const ages = { ageSeconds: seconds, probedSeconds: 0 };
      const input = { now: start + 1000 * seconds, previous };
      const saysOf = (look: LookOf) =>
        isLossy(look) ? { state: 'lossy' as const, ...ages } : ages;
      previous = diagnose(clusterOf(12, { targets: ['web'], saysOf, input }));
    }
    expect(previous?.findings.map(({ id }) => id)).toEqual(['target-down:web']);
  });
});
