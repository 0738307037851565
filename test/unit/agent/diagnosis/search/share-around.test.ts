import { expect, test } from 'vitest';
import { found, idsOf, n, numberOf, type PathOf, type Saying } from '../cluster.js';

const count = 120;
const lossy: Saying = { state: 'lossy', ageSeconds: 300, lost: 3 };

/** Echoes of a node to each sixth of the others lose probes, and some of the paths between it and one more. */
function isNear({ from, to, plane, protocol }: PathOf, ofPair: number): boolean {
  const other = from === n(7) ? to : to === n(7) ? from : undefined;
  if (other === undefined) return false;
  if (other !== n(9)) return from === n(7) && plane === 'host' && numberOf(other) % 6 === 0;
  const paths = ['host', 'endpoint'].indexOf(plane) * 4 + (protocol === 'icmp' ? 0 : 2);
  return paths + (from === n(7) ? 0 : 1) < ofPair;
}

const told = (says: (path: PathOf) => boolean) =>
  idsOf(found(count, { says: (path) => (says(path) ? lossy : undefined) }));

test('a pair whose paths lose probes is told', () => {
  expect(told((path) => path.to === n(9) && path.from === n(7))).toEqual(['lossy:c/n7,c/n9']);
});

test('a pair is not told where as many other paths of one of its nodes lose probes as chance makes of it', () => {
  expect(told((path) => isNear(path, 4))).toEqual([]);
});

test('a pair that loses far more than the other paths of its nodes is told all the same', () => {
  expect(told((path) => isNear(path, 8))).toEqual(['lossy:c/n7,c/n9']);
});
