import { expect, test } from 'vitest';
import { detectS } from '../../../../agent/diagnosis/evidence/time-model.js';
import { n, namesOf, numberOf, rowsOf, watching, type PathOf } from './cluster.js';

const size = 40;

/** When these nodes began to send nothing, in seconds from the start. */
const beganS: Readonly<Record<string, number>> = { [n(17)]: 0, [n(10)]: 3, [n(7)]: 19 };
const rows = rowsOf([n(7)], { ageMs: 0, bodyAgeMs: 0 });

test('a node that sends nothing still gets what is sent to it once another one sends nothing either', () => {
  const look = watching(size);
  const directionsAt = (atS: number) => {
    const says = ({ from }: PathOf) => {
      const ageSeconds = atS - (beganS[from] ?? Infinity);
      return ageSeconds < 0 ? undefined : { state: 'unreachable' as const, ageSeconds };
    };
    const { findings } = look(atS, { says, rows });
    return findings.map(({ node, direction }) => [node, direction]);
  };
  directionsAt(12);
  const told = [
    [n(17), 'outbound'],
    [n(10), 'outbound'],
  ];
  expect(directionsAt(15)).toEqual(told);
  expect(directionsAt(20)).toEqual(told);
});

test('of a few nodes too, what one that sends nothing does not reach says nothing of the others', () => {
  const look = watching(12);
  const beginsS: Readonly<Record<string, number>> = {
    [n(3)]: 0,
    [n(2)]: 2.5,
    [n(6)]: 5,
    [n(9)]: 7.5,
  };
  for (let atS = 4; atS <= 24; atS += 0.3) {
    const rows = rowsOf(namesOf(12), { ageMs: 0, bodyAgeMs: 0 });
    const says = ({ from, to }: PathOf) => {
      const lag = ((5 * numberOf(from) + 7 * numberOf(to)) % 12) / 40;
      const ageSeconds = atS - (beginsS[from] ?? Infinity) - detectS - lag;
      return ageSeconds < 0 ? undefined : { state: 'unreachable' as const, ageSeconds };
    };
    const { findings } = look(atS, { says, rows });
    // It is not said of one that is told at once how the others reach it.
    expect(
      findings.filter(({ direction }) => direction === 'both'),
      `${atS} s`,
    ).toEqual([]);
  }
});

test('what a node heard before its own trouble began does not say that its other server is reached', () => {
  const look = watching(size);
  // No request reaches these, so their rows do not come, and the next one hears them.
  const without = namesOf(15).slice(3);
  const next = n(35);
  const beginsS = 20;
  const toldAt = (atS: number) => {
    const says = ({ from, to, plane, protocol }: PathOf) => {
      if (protocol !== 'http') return undefined;
      if (without.includes(to)) return { state: 'unreachable' as const, ageSeconds: atS };
      const ageSeconds = atS - beginsS - detectS;
      const isSeen = to === next && plane === 'endpoint' && numberOf(from) > 33;
      return isSeen && ageSeconds >= 0 ? { state: 'unreachable' as const, ageSeconds } : undefined;
    };
    const confirmedMs = 1000 * (Math.max(atS - beginsS, 0) + 1);
    const sayings = {
      ...rowsOf(namesOf(size), { ageMs: 1000, bodyAgeMs: 1000 }),
      [next]: { ageMs: confirmedMs, bodyAgeMs: confirmedMs, row: { heard: without } },
    };
    const { findings } = look(atS, { says, rows: sayings, without });
    return findings.filter(({ node }) => node === next).map(({ kind }) => kind);
  };
  for (const atS of [10, 15, 21.5, 22]) expect(toldAt(atS)).toEqual([]);
  // The other port may be filtered too, and few have looked at it yet.
  expect(toldAt(22.5)).toEqual([]);
});

test('what a node that went down said last of one that is well again is no cut between the two', () => {
  const look = watching(size);
  const [first, second] = [n(28), n(32)];
  // The second one has not probed the first one again yet as it tells its last row.
  const [downS, wellS, lastRowS, secondDownS] = [-60, 21, 21.5, 22];
  const pairsAt = (atS: number) => {
    const lastRowAgeS = Math.max(atS - lastRowS, 1);
    const toldAgeS = (from: string) => (from === second ? lastRowAgeS : 0);
    const says = ({ from, to }: PathOf) => {
      const isFailing =
        to === first ? atS < wellS || from === second : to === second && atS >= secondDownS + 2;
      const beganS = detectS + (to === first ? downS : secondDownS);
      const ageSeconds = Math.max(atS - beganS - toldAgeS(from), 0);
      return isFailing ? { state: 'unreachable' as const, ageSeconds } : undefined;
    };
    const rows = rowsOf(namesOf(size), (name) => {
      const ageMs = 1000 * (name === second ? lastRowAgeS : 1);
      return { ageMs, bodyAgeMs: ageMs };
    });
    const { findings } = look(atS, { says, rows, without: atS < wellS ? [first] : [] });
    return findings.filter(({ kind }) => kind === 'pair');
  };
  for (let atS = 3; atS <= 34; atS += 0.5) expect(pairsAt(atS)).toEqual([]);
});
