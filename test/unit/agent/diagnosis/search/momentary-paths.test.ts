import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../../../../agent/model/failure.js';
import {
  found,
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf,
  type ClusterOptions,
  type PathOf,
  type Saying,
} from '../cluster.js';

const count = 80;
const lossy: Saying = { state: 'lossy', ageSeconds: 20 };

/** A node of which some echoes fail since that time, some paths lose probes, and the others work. */
function node(
  losing: number,
  ageSeconds: number,
  failure: FailureKind = 'timeout',
  options: ClusterOptions = {},
) {
  const says = (path: PathOf): Saying => {
    if (path.to !== n(7)) return undefined;
    const from = numberOf(path.from);
    if (from > 30 && from <= 36)
      return path.protocol === 'icmp' && path.plane === 'host'
        ? { state: 'unreachable', ageSeconds, failure }
        : undefined;
    return path.plane === 'host' && from > 7 && from <= 7 + losing ? lossy : undefined;
  };
  return idsOf(found(count, { says, ...options }));
}

test('a server that hangs at a node that loses probes is told at once', () => {
  const says = (path: PathOf): Saying =>
    path.to !== n(3)
      ? undefined
      : path.protocol === 'http' && path.plane === 'host'
        ? { state: 'unreachable', ageSeconds: 12 }
        : { state: 'lossy', ageSeconds: 300, lost: 9 };
  expect(idsOf(found(6, { says }))).toEqual(['agent:c/n3', 'lossy:c/n3']);
});

describe('paths that fail for a moment at a node that loses probes', () => {
  test('are no finding, before it is known that it is the node that loses them', () => {
    expect(node(6, 12)).toEqual([]);
  });

  test('are one where they fail for longer than chance lets them, or where few others lose probes', () => {
    expect(node(6, 90)).toEqual(['icmp-filtered:host:c/n7']);
    expect(node(2, 12)).toEqual(['icmp-filtered:host:c/n7']);
    expect(node(6, 12, 'prohibited')).toEqual(['icmp-filtered:host:c/n7']);
  });

  test('may fail for longer where they are probed more rarely', () => {
    const rows = rowsOf(namesOf(count), { row: { httpIntervalMs: 250_000 } });
    expect(node(6, 75, 'timeout', { rows })).toEqual([]);
    expect(node(6, 290, 'timeout', { rows })).toEqual(['icmp-filtered:host:c/n7']);
  });

  test('are others than those of a node that is down beside a node that loses probes', () => {
    const says = (path: PathOf): Saying => {
      if (path.to === n(9) || path.from === n(9)) return { state: 'unreachable', ageSeconds: 12 };
      return path.to === n(7) || path.from === n(7) ? lossy : undefined;
    };
    const ids = idsOf(found(count, { says, without: [n(9)] }));
    expect(ids).toEqual(['node:c/n9', 'lossy:c/n7']);
  });
});

test('the tunnel between two nodes is told as cut where other paths of these lose probes', () => {
  const isPair = ({ from, to }: PathOf) => [from, to].sort().join() === [n(3), n(7)].join();
  const says = (path: PathOf): Saying => {
    if (isPair(path))
      return path.plane === 'endpoint' ? { state: 'unreachable', ageSeconds: 40 } : undefined;
    const isOfOne = path.from === n(3) || path.to === n(3);
    return isOfOne && numberOf(path.from) + numberOf(path.to) < 20 ? lossy : undefined;
  };
  expect(idsOf(found(count, { says }))).toContain('pair:c/n3,c/n7');
});
