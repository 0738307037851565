import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../agent/model/sample.js';
import { confirmedRows, idsOf, n, namesOf, watching, type PathOf, type Saying } from './cluster.js';
import { shareOf } from './share-of.js';

const nodes = 60;
const names = namesOf(nodes);
/** Agents of a cluster of thousands: each GET comes once in four minutes, and a row once in one. */
const [intervalS, rowS] = [250, 60];
const target = n(7);
/** Its endpoint hangs from a time on, until another. All look at it within some seconds, as hints tell of both. */
const [hangsS, worksS] = [70, 110];

/** Of which time an observer's last row is. */
function confirmedAt(name: string, atS: number, everyS = rowS): number {
  if (name === n(1)) return atS;
  const phaseS = shareOf(name, '', 0) * everyS;
  return atS - ((((atS - phaseS) % everyS) + everyS) % everyS);
}

function findingsFrom(fromS: number, untilS: number, fails: readonly Protocol[]) {
  const look = watching(nodes);
  return Array.from({ length: untilS - fromS }, (_, second) => {
    const atS = fromS + second;
    const says = ({ from, to, plane, protocol }: PathOf): Saying => {
      if (to !== target || plane !== 'endpoint' || !fails.includes(protocol)) return undefined;
      const toldS = confirmedAt(from, atS);
      const lateS = 1 + 2 * shareOf(from, to, 1);
      if (toldS < hangsS + lateS || toldS >= worksS + lateS) return undefined;
      return { state: 'unreachable', ageSeconds: Math.floor(toldS - hangsS - lateS) };
    };
    const rows = confirmedRows(names, atS, (name) => confirmedAt(name, atS), intervalS);
    return { atS, ids: idsOf(look(atS, { says, rows })) };
  });
}

const troubles: readonly { what: string; id: string; fails: readonly Protocol[] }[] = [
  { what: 'an endpoint that hangs', id: `endpoint:${target}`, fails: ['http'] },
  {
    what: 'an endpoint that is not reached',
    id: `endpoint-plane:${target}`,
    fails: ['icmp', 'http'],
  },
];

describe.each(troubles)('$what, of which few rows have come', ({ id, fails }) => {
  const all = findingsFrom(hangsS - 5, worksS + 40, fails);

  it('is told', () => {
    for (const { atS, ids } of all)
      if (atS >= hangsS + 15 && atS < worksS) expect(ids, `${atS}`).toEqual([id]);
  });

  it('is told no more once some rows tell that it works, though most are from before it failed', () => {
    for (const { atS, ids } of all) if (atS >= worksS + 8) expect(ids, `${atS}`).toEqual([]);
  });
});

/** In which seconds an agent is told that refuses connections until it runs again. Few of so many rows are from since then. */
function toldOfRestarted(awayS: number): readonly number[] {
  const many = 300;
  const look = watching(many);
  return Array.from({ length: 60 }, (_, second) => second).filter((second) => {
    const atS = hangsS + second;
    const says = ({ from, to, plane, protocol }: PathOf): Saying => {
      if (to !== target || plane !== 'host' || protocol !== 'http') return undefined;
      const toldS = confirmedAt(from, atS);
      const lateS = 1 + 2 * shareOf(from, to, 1);
      if (toldS < hangsS + lateS || toldS >= hangsS + awayS + lateS) return undefined;
      const ageSeconds = Math.floor(toldS - hangsS - lateS);
      return { state: 'unreachable', ageSeconds, failure: 'refused' };
    };
    const rows = confirmedRows(namesOf(many), atS, (name) => confirmedAt(name, atS), intervalS);
    return idsOf(look(atS, { says, rows })).length > 0;
  });
}

it.each([4, 5, 8])('an agent is told no more some seconds after it runs again (%i s)', (awayS) => {
  const toldS = toldOfRestarted(awayS);
  expect(Math.max(0, ...toldS)).toBeLessThan(awayS + 5);
});

it.each([5, 8])('an endpoint that hangs stays told while more see it, over %i s', (spreadS) => {
  const [many, everyS] = [400, 10];
  const look = watching(many);
  const told: boolean[] = [];
  for (let atS = hangsS; atS < hangsS + 40; atS += 0.5) {
    const seesS = (from: string) => hangsS + 1 + spreadS * shareOf(from, target, 1);
    // Who sees it tells so at once, and who does not confirms a row of before.
    const toldS = (from: string) => {
      const usualS = confirmedAt(from, atS, everyS);
      return seesS(from) <= atS ? Math.max(usualS, seesS(from)) : usualS;
    };
    const says = ({ from, to, plane, protocol }: PathOf): Saying => {
      if (to !== target || plane !== 'endpoint' || protocol !== 'http') return undefined;
      const ageSeconds = Math.floor(toldS(from) - seesS(from));
      return ageSeconds < 0 ? undefined : { state: 'unreachable', ageSeconds };
    };
    const rows = confirmedRows(namesOf(many), atS, toldS, intervalS);
    told.push(idsOf(look(atS, { says, rows })).length > 0);
  }
  expect(told).toContain(true);
  expect(told.slice(told.indexOf(true))).not.toContain(false);
});
