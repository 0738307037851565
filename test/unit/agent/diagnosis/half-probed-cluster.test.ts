import { describe, expect, it } from 'vitest';
import {
  confirmedRows,
  idsOf,
  n,
  namesOf,
  numberOf,
  watching,
  type ClusterOptions,
  type PathOf,
  type Saying,
} from './cluster.js';
import { shareOf } from './share-of.js';

const nodes = 60;
const names = namesOf(nodes);
/** An agent of a large cluster gets each node once in this time. */
const intervalS = 60;
const beganS = 10;

/** At which part of an interval a node gets another: each in an order of its own. */
const placeOf = (from: string, to: string) => shareOf(from, to, 0);

const zones = names.map((_, at) => (at < nodes / 2 ? 'a' : 'b'));

/** What the first node says each second while GETs to endpoints come round, of which those that fail do so from one time on. */
function findingsUntil(
  untilS: number,
  fails: (from: string, to: string) => boolean,
  options: Pick<ClusterOptions, 'zones'> = {},
) {
  const look = watching(nodes);
  return Array.from({ length: untilS - beganS }, (_, second) => {
    const atS = beganS + second;
    // Some rows are from before the trouble.
    const confirmedS = (name: string) => (name === n(1) ? atS : atS - 8 * placeOf(name, ''));
    const says = ({ from, to, plane, protocol }: PathOf): Saying => {
      if (protocol !== 'http' || plane !== 'endpoint' || !fails(from, to)) return undefined;
      const sinceS = confirmedS(from) - beganS - 1.4 - intervalS * placeOf(from, to);
      return sinceS < 0 ? undefined : { state: 'unreachable', ageSeconds: Math.floor(sinceS) };
    };
    const rows = confirmedRows(names, atS, confirmedS, intervalS);
    return { atS, ids: idsOf(look(atS, { ...options, says, rows })) };
  });
}

describe('a port that is filtered everywhere, while the paths of a large cluster are probed one after the other', () => {
  const all = findingsUntil(beganS + intervalS + 10, () => true);

  it('is told once, when a few of the paths to each node are known to fail, and by no other name', () => {
    const opened = all.findIndex(({ ids }) => ids.length > 0);
    expect(all[opened]?.atS).toBeLessThan(beganS + 12);
    for (const { atS, ids } of all.slice(opened))
      expect(ids, `${atS}`).toEqual(['http-filtered:endpoint']);
  });
});

describe('an overlay that is broken everywhere', () => {
  it('is told as soon as echoes show it at all nodes: GETs, of which there are fewer, need not', () => {
    const nodes = 80;
    const names = namesOf(nodes);
    const look = watching(nodes);
    const findingsAt = (atS: number) => {
      const confirmedS = (name: string) => (name === n(1) ? atS : atS - 2 * placeOf(name, ''));
      const says = ({ from, to, plane, protocol }: PathOf): Saying => {
        if (plane !== 'endpoint') return undefined;
        const everyS = protocol === 'icmp' ? 8 : 400;
        const sinceS = confirmedS(from) - beganS - 1.4 - everyS * placeOf(from, to);
        return sinceS < 0 ? undefined : { state: 'unreachable', ageSeconds: Math.floor(sinceS) };
      };
      return idsOf(look(atS, { says, rows: confirmedRows(names, atS, confirmedS, 400) }));
    };
    const first = Array.from({ length: 11 }, (_, second) => findingsAt(beganS + second));
    expect(first.flat()).toContain('endpoint-plane:all');
    expect(new Set(first.flat()).size).toBe(1);
  });
});

describe('a port that is filtered at half of the nodes, while they are probed one after the other', () => {
  it.each([
    ['to them', (_: string, to: string) => Number(to.slice(3)) % 2 === 0],
    ['from them', (from: string) => Number(from.slice(3)) % 2 === 0],
  ])('is not told as one of the cluster: %s', (_, fails) => {
    for (const { atS, ids } of findingsUntil(beganS + 20, fails))
      expect(ids, `${atS}`).not.toContain('http-filtered:endpoint');
  });
});

const isBetweenZones = (from: string, to: string) =>
  zones[numberOf(from) - 1] === 'a' && zones[numberOf(to) - 1] === 'b';

describe('a port that is filtered between two zones, while the paths are probed one after the other', () => {
  const all = findingsUntil(beganS + intervalS + 10, isBetweenZones, { zones });

  it('is told once, before most paths are known to fail, and by no other name', () => {
    const opened = all.findIndex(({ ids }) => ids.length > 0);
    expect(all[opened]?.atS).toBeLessThan(beganS + 12);
    for (const { atS, ids } of all.slice(opened))
      expect(ids, `${atS}`).toEqual([expect.stringMatching(/^zones:/)]);
  });

  it.each([
    ['some nodes of one', (_: string, to: string) => numberOf(to) % 2 === 0],
    ['some observers in the other', (from: string) => numberOf(from) % 2 === 0],
  ])('is not told as one of the zones where it is at %s', (_, isOne) => {
    const fails = (from: string, to: string) => isBetweenZones(from, to) && isOne(from, to);
    for (const { atS, ids } of findingsUntil(beganS + 20, fails, { zones }))
      expect(ids.join(), `${atS}`).not.toMatch(/^zones:/);
  });
});
