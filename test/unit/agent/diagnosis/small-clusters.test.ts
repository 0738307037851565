import { expect, test } from 'vitest';
import { found, idsOf, n } from './cluster.js';
import { failing, isFrom, isTo, type Which } from './paths.js';

test('of four nodes one that cannot send is told alone, though one of its paths is told as working', () => {
  const isWrong: Which = (path) => isTo(n(1), 'endpoint', 'icmp')(path);
  const says = failing((path) => isFrom(n(2))(path) && !isWrong(path), { ageSeconds: 770 });
  expect(idsOf(found(4, { says }))).toEqual([`node:${n(2)}`]);
});

test('of four nodes one whose port is filtered is told alone, though one report about it is wrong', () => {
  const isWrong: Which = (path) => isFrom(n(2), 'host', 'http')(path);
  const says = failing((path) => isTo(n(4), 'http')(path) && !isWrong(path), { ageSeconds: 640 });
  expect(idsOf(found(4, { says, without: [n(4)] }))).toEqual([`http-filtered:${n(4)}`]);
});
