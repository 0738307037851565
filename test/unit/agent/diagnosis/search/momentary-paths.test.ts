import { describe, expect, test } from 'vitest';
import { found, idsOf, n, numberOf, type PathOf, type Saying } from '../cluster.js';

const count = 40;
const lossy: Saying = { state: 'lossy', ageSeconds: 20 };

/** A node of which some echoes fail since that time, some paths lose probes, and the others work. */
function node(losing: number, ageSeconds: number) {
  const says = (path: PathOf): Saying => {
    if (path.to !== n(7)) return undefined;
    const from = numberOf(path.from);
    if (from > 30 && from <= 36)
      return path.protocol === 'icmp' && path.plane === 'host'
        ? { state: 'unreachable', ageSeconds }
        : undefined;
    return path.plane === 'host' && from > 7 && from <= 7 + losing ? lossy : undefined;
  };
  return idsOf(found(count, { says }));
}

describe('paths that fail for a moment at a node that loses probes', () => {
  test('are no finding, before it is known that it is the node that loses them', () => {
    expect(node(6, 12)).toEqual([]);
  });

  test('are one where they fail for longer than chance lets them, or where few others lose probes', () => {
    expect(node(6, 90)).toEqual(['icmp-filtered:host:c/n7']);
    expect(node(2, 12)).toEqual(['icmp-filtered:host:c/n7']);
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
