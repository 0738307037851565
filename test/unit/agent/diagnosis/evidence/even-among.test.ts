import { describe, expect, it } from 'vitest';
import { isEvenAmong } from '../../../../../agent/diagnosis/evidence/even-among.js';
import { observe } from '../../../../../agent/diagnosis/evidence/observations.js';
import { Tally } from '../../../../../agent/diagnosis/evidence/tally.js';
import { sidesOf } from '../../../../../agent/diagnosis/nouns/subject.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { clusterOf, namesOf, numberOf, type PathOf } from '../cluster.js';

const size = 60;
const zoneOf = (name: string) => ['a', 'b', 'c'][numberOf(name) % 3] ?? '';
const chanceOf = ({ from, to, plane, protocol }: PathOf) =>
  nameHash(`${protocol} ${to} ${plane} ${from}`) / 2 ** 32;

/** The losses of a cluster in which a path has some with a chance, if it does not fail. */
function lossesIn(
  chance: (path: PathOf) => number,
  fails: (path: PathOf) => boolean = () => false,
) {
  const input = clusterOf(size, {
    zones: namesOf(size).map(zoneOf),
    says: (path) =>
      fails(path) ? 'unreachable' : chanceOf(path) < chance(path) ? 'lossy' : undefined,
  });
  const tally = finished(Tally.count(input.index, finished(observe(input)), 'lossy'));
  const { inner, outer } = sidesOf({ type: 'zones', group: 0, other: undefined }, input.index);
  return { isEven: isEvenAmong(tally, inner.group.members, outer, 0b1111) };
}

const isBetween = ({ from, to }: PathOf) => zoneOf(from) !== zoneOf(to);
const isAtSome = ({ from, to }: PathOf) => numberOf(from) % 4 === 0 || numberOf(to) % 4 === 0;

describe('losses among the nodes of a zone', () => {
  it.each([0.05, 0.2, 0.6])('are even where all paths between zones have them: %d', (share) => {
    expect(lossesIn((path) => (isBetween(path) ? share : 0)).isEven).toBe(true);
  });

  it.each([0.2, 0.4, 0.6])('are not where every fourth node has them: %d', (share) => {
    expect(lossesIn((path) => (isAtSome(path) ? share : 0)).isEven).toBe(false);
  });

  it('are even where some nodes can send no echoes, and so know of none that is lost', () => {
    const fails = ({ from, protocol }: PathOf) => protocol === 'icmp' && numberOf(from) % 2 === 0;
    expect(lossesIn((path) => (isBetween(path) ? 0.9 : 0), fails).isEven).toBe(true);
  });

  it('are even beside one node that has more of them', () => {
    const more = ({ from, to }: PathOf) => from === 'c/n3' || to === 'c/n3';
    expect(lossesIn((path) => (more(path) ? 0.6 : isBetween(path) ? 0.2 : 0)).isEven).toBe(true);
  });
});
