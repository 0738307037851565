import { expect, test } from 'vitest';
import {
  confirmedRows,
  idsOf,
  makeNodes,
  namesOf,
  numberOf,
  watching,
  type PathOf,
} from './cluster.js';
import { failing } from './paths.js';
import { shareOf } from './share-of.js';

const nodes = 40;
const names = namesOf(nodes);
const isOfA = (name: string) => numberOf(name) % 2 === 0;
const zones = names.map((name) => (isOfA(name) ? 'a' : 'b'));
const cutS = 2;

/** What an agent of zone b tells from the cut on, which sees no row of zone a any more. Rows and verdicts come by chance. */
function toldBy(chance: number): Set<string> {
  const look = watching(nodes);
  const told = Array.from({ length: 24 }, (_, at) => at / 2).map((atS) => {
    const confirmedS = (name: string) => {
      if (name === names[0] || atS < cutS) return atS;
      return isOfA(name) ? cutS : Math.max(cutS, atS - 3 * shareOf(name, `${atS}`, chance));
    };
    const says = ({ from, to, plane, protocol }: PathOf) => {
      const isCut = atS >= cutS && isOfA(to) && !isOfA(from);
      const lateS =
        (protocol === 'http' ? 5 : 2) * shareOf(from, to, chance + (plane === 'host' ? 1 : 2));
      const ageSeconds = Math.floor(confirmedS(from) - cutS - 1.4 - lateS);
      return failing(() => isCut && ageSeconds >= 0, { ageSeconds })({ from, to, plane, protocol });
    };
    const rows = confirmedRows(names, atS, confirmedS, 5);
    return idsOf(look(atS, { nodes: makeNodes(nodes, zones), groupBy: ['zone'], says, rows }));
  });
  return new Set(told.flat());
}

test.each([5, 6, 9, 11])(
  'a zone that another one does not reach is cut off, and no group of nodes: chance %i',
  (chance) => {
    expect(toldBy(chance)).toEqual(new Set(['zones:a,b']));
  },
);
