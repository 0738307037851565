import { describe, expect, test } from 'vitest';
import { idsOf, n, watching, type PathOf, type Saying } from '../cluster.js';

const count = 24;
const zones = Array.from({ length: count }, (_, at) => (at < 12 ? 'a' : 'b'));

/** Paths that lose probes between two nodes, in both directions. */
const between = (a: number, b: number) => (path: PathOf) =>
  (path.from === n(a) && path.to === n(b)) || (path.from === n(b) && path.to === n(a));

const losing = (ageSeconds: number): Saying => ({ state: 'lossy', ageSeconds, lost: 6 });

/** What is told so many seconds after the first look, of an agent that sees the same all the while. */
function told(says: (seconds: number) => (path: PathOf) => Saying, atS: number) {
  const look = watching(count);
  for (let seconds = 0; seconds < atS; seconds++) look(seconds, { zones, says: says(seconds) });
  return idsOf(look(atS, { zones, says: says(atS) }));
}

describe('a pair that loses probes', () => {
  const pair = (seconds: number) => (path: PathOf) =>
    between(3, 20)(path) ? losing(seconds) : undefined;

  test('is told after ten seconds if nothing else does', () => {
    expect(told(pair, 6)).toEqual([]);
    expect(told(pair, 12)).toEqual(['lossy:c/n20,c/n3']);
  });

  test('waits while other paths of one of its nodes begin to', () => {
    const node = (seconds: number) => (path: PathOf) =>
      between(3, 5)(path) && seconds >= 6 ? losing(seconds - 6) : pair(seconds)(path);
    expect(told(node, 12)).toEqual([]);
    expect(told(node, 30)).not.toEqual([]);
  });

  test('waits while other paths between its zones begin to', () => {
    const cut = (seconds: number) => (path: PathOf) =>
      (between(4, 21)(path) || between(6, 15)(path)) && seconds >= 6
        ? losing(seconds - 6)
        : pair(seconds)(path);
    expect(told(cut, 12)).toEqual([]);
    expect(told(cut, 30)).toContain('lossy:c/n20,c/n3');
  });

  test('does not wait for what begins within a zone', () => {
    const within = (seconds: number) => (path: PathOf) =>
      (between(4, 5)(path) || between(14, 15)(path)) && seconds >= 6
        ? losing(seconds - 6)
        : pair(seconds)(path);
    expect(told(within, 12)).toEqual(['lossy:c/n20,c/n3']);
  });
});
