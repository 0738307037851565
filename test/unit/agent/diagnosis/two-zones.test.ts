import { describe, expect, it } from 'vitest';
import { confirmedRows, idsOf, namesOf, watching, type PathOf } from './cluster.js';
import { failing } from './paths.js';
import { shareOf } from './share-of.js';

const nodes = 30;
const names = namesOf(nodes);
const zones = names.map((_, at) => 'abc'[at % 3] ?? '');
const zoneOf = (name: string) => zones[names.indexOf(name)] ?? '';
const ofZone = (zone: string) => names.filter((name) => zoneOf(name) === zone);
/** Agents of a large cluster: they ask for each row, and send a GET on each path, once in this time. */
const intervalS = 50;
/** Nobody reaches the third zone from this time on. */
const cutS = 10;

/** When an observer knows that it does not reach a zone: it looks at all of its nodes one after the other. */
const knownS = ({ from, to, protocol }: PathOf) =>
  1.5 + shareOf(from, to, 0) * (protocol === 'http' ? 20 : 8);

/** What the first zone says from the cut on, while the second one goes off too. */
function findingsWith(offS: number) {
  const look = watching(nodes);
  return Array.from({ length: 34 }, (_, second) => {
    const atS = cutS + second;
    const confirmedS = (name: string) => (zoneOf(name) === 'b' ? Math.min(atS, offS) : atS);
    const says = (path: PathOf) => {
      const [from, to] = [zoneOf(path.from), zoneOf(path.to)];
      const isBroken = from !== to && (to === 'c' || (to === 'b' && atS > offS));
      const brokeS = to === 'c' ? cutS : offS;
      const ageSeconds = Math.floor(confirmedS(path.from) - brokeS - knownS(path));
      return failing(() => isBroken && ageSeconds >= 0, { ageSeconds })(path);
    };
    const rows = confirmedRows(names, atS, confirmedS, intervalS);
    return { atS, ids: idsOf(look(atS, { zones, says, rows, without: ofZone('c') })) };
  });
}

describe('a zone that is off while another one is cut off, as a third one sees it', () => {
  it.each([14, 15, 16, 17, 18])(
    'is told beside it, and not as a zone that reaches no other: from second %i on',
    (offS) => {
      const all = findingsWith(offS);
      for (const { ids, atS } of all) {
        expect(ids, `${atS}`).not.toContain('zones:a');
        if (atS > offS) expect(ids, `${atS}`).toContain('zones:c');
      }
      expect(all.at(-1)?.ids).toEqual(['zones:c', 'zones:a,b']);
    },
  );
});
