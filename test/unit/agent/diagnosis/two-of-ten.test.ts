import { describe, expect, it } from 'vitest';
import { confirmedRows, idsOf, n, namesOf, watching, type PathOf, type Saying } from './cluster.js';
import { isAt } from './paths.js';
import { shareOf } from './share-of.js';

const names = namesOf(10);
const cutS = 10;
const intervalS = 5;

/** When an observer knows that a path fails: echoes come each second, GETs each five, and hints bring both sooner. */
const knownS = ({ from, to, protocol }: PathOf) =>
  1.4 + shareOf(from, to, 0) * (protocol === 'http' ? 1.5 : 1);

const isCut = (path: PathOf) => isAt(n(4), 'endpoint')(path) || isAt(n(6), 'endpoint')(path);

describe('the tunnels of two nodes of ten that are cut at the same moment', () => {
  const look = watching(names.length);
  const zones = names.map((_, at) => 'abc'[at % 3] ?? '');
  const all = Array.from({ length: 40 }, (_, step) => {
    const atS = cutS + step / 5;
    // Rows come once a second, each at another time.
    const confirmedS = (name: string) => (name === n(1) ? atS : atS - shareOf(name, '', 0));
    const says = (path: PathOf): Saying => {
      const sinceS = confirmedS(path.from) - cutS - knownS(path);
      if (!isCut(path) || sinceS < 0) return undefined;
      return { state: 'unreachable', ageSeconds: Math.floor(sinceS) };
    };
    const rows = confirmedRows(names, atS, confirmedS, intervalS);
    return { atS, ids: idsOf(look(atS, { zones, says, rows })) };
  });

  it('are told as these two, and at no time as the endpoints of all', () => {
    for (const { atS, ids } of all) expect(ids, `${atS}`).not.toContain('endpoint-plane:all');
    expect(all.at(-1)?.ids).toEqual([`endpoint-plane:${n(4)}`, `endpoint-plane:${n(6)}`]);
  });
});
