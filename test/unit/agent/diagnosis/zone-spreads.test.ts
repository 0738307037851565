import { describe, expect, it } from 'vitest';
import { confirmedRows, idsOf, n, namesOf, watching, type PathOf, type Saying } from './cluster.js';
import { shareOf } from './share-of.js';

const nodes = 60;
const names = namesOf(nodes);
const zones = names.map((_, at) => 'abcd'[at % 4] ?? '');
const zoneOf = (name: string) => zones[Number(name.slice(3)) - 1];
/** Agents of a large cluster: they ask for each row once in this time. */
const intervalS = 50;
/** All nodes of a zone fail at this time, and work again at the other. */
const [offS, backS] = [10, 70];

/** When an observer knows that a path failed, or works again: it looks at all of them one after the other. */
const knownS = (from: string, to: string, isGet: boolean) =>
  1.5 + shareOf(from, to, isGet ? 1 : 0) * (isGet ? 20 : 8);

/** What the first node says of a zone that is off while all nodes look at it bit by bit, and of it as it is repaired. */
function findingsUntil(untilS: number) {
  const look = watching(nodes);
  return Array.from({ length: untilS - offS }, (_, second) => {
    const atS = offS + second;
    // Hints bring a row every two seconds, and most from all of the zone none.
    const confirmedS = (name: string) =>
      name === n(1) ? atS : atS - shareOf(name, String(Math.floor(atS / 2)), 2) * 4;
    const says = ({ from, to, protocol }: PathOf): Saying => {
      if (zoneOf(to) !== 'd' || zoneOf(from) === 'd') return undefined;
      const toldS = confirmedS(from);
      const lateS = knownS(from, to, protocol === 'http');
      if (toldS < offS + lateS || toldS >= backS + lateS) return undefined;
      return { state: 'unreachable', ageSeconds: Math.floor(toldS - offS - lateS) };
    };
    const rows = confirmedRows(names, atS, confirmedS, intervalS);
    const without = atS < backS ? names.filter((name) => zoneOf(name) === 'd') : [];
    const ids = idsOf(look(atS, { zones, says, rows, without }));
    return { atS, ids: ids.filter((id) => !id.startsWith('observers-missing')) };
  });
}

describe('a zone that is off, while its nodes are probed one after the other', () => {
  const all = findingsUntil(backS + 25);

  it('is told once, and by no other name', () => {
    const opened = all.findIndex(({ ids }) => ids.length > 0);
    const during = all.slice(opened).filter(({ atS }) => atS < backS);
    expect(during.length).toBeGreaterThan(40);
    for (const { ids } of during) expect(ids).toEqual(['zones:d']);
  });

  it('is told no more soon after the repair, and nothing else is', () => {
    for (const { atS, ids } of all) if (atS >= backS + 8) expect(ids, `${atS}`).toEqual([]);
  });
});
