import { expect, it } from 'vitest';
import { confirmedRows, idsOf, n, namesOf, watching, type PathOf, type Saying } from './cluster.js';

/** Agents of a cluster of thousands: a GET on each path comes once in four minutes. */
const intervalS = 250;
const [first, second] = [n(1), n(2)];
const [cutS, worksS] = [10, 100];

it('a pair is no more once one end reaches the other, though the other has not looked since', () => {
  const look = watching(20);
  const told: string[] = [];
  for (let atS = cutS; atS < worksS + 10; atS++) {
    // The first one looks at once, the second one a long time later. Its row comes again all the same.
    const says = ({ from, to }: PathOf): Saying => {
      const isPair = [first, second].includes(from) && [first, second].includes(to);
      if (!isPair || atS < cutS + 3 || (from === first && atS >= worksS)) return undefined;
      return { state: 'unreachable', ageSeconds: atS - cutS - 2 };
    };
    const rows = confirmedRows(namesOf(20), atS, () => atS, intervalS);
    told.push(idsOf(look(atS, { says, rows })).join());
  }
  expect(told[worksS - cutS - 1]).toBe(`pair:${first},${second}`);
  expect(new Set(told.slice(worksS - cutS + 2))).toEqual(new Set(['']));
});
