import { describe, expect, it } from 'vitest';
import { idsOf, n, namesOf, numberOf, rowsOf, watching } from './cluster.js';
import { failing, isTo, type Which } from './paths.js';

const nodes = 8;
const target = n(6);
/** A router of their zone has no route to it. */
const isCutOff = (name: string): boolean => numberOf(name) <= 4;
const cannotReach: Which = (path) => isCutOff(path.from) && isTo(target)(path);

/** In which second of an interval each node asks the local one, so who reaches the node may have told last. */
const orders = {
  'who reaches it tells last': [0, 1, 2, 3, 4, 1.5, 4.4, 4.8],
  'who reaches it tells first': [0, 4.8, 4.4, 4, 1.5, 2, 1, 0.5],
  'they take turns': [0, 1, 2.2, 3.4, 0.5, 4, 1.6, 2.8],
};
const intervalS = 5;

/** How long ago a node told last. */
function ageS(name: string, atS: number, order: readonly number[]): number {
  const number = numberOf(name);
  return number === 1 ? 0 : (atS + intervalS - (order[number - 1] ?? 0)) % intervalS;
}

describe('a node that some reach and most do not', () => {
  it.each(Object.entries(orders))(
    'is not told to have recovered while it lasts: %s',
    (_, order) => {
      const look = watching(nodes);
      for (let atS = 1; atS <= 120; atS += 0.5) {
        const rows = rowsOf(namesOf(nodes), (name) => {
          const ageMs = 1000 * ageS(name, atS, order);
          return { ageMs, bodyAgeMs: ageMs };
        });
        const seen = look(atS, { says: failing(cannotReach, { ageSeconds: atS }), rows });
        if (atS < 30) continue;
        expect(`${atS}: ${idsOf(seen).join()}`).toBe(`${atS}: node:${target}`);
        expect(seen.findings[0]?.text).not.toContain('until');
      }
    },
  );

  it('is not down, though who is cut off from it hears nothing', () => {
    const look = watching(nodes);
    for (let atS = 1; atS <= 120; atS += 0.5) {
      const rows = rowsOf(namesOf(nodes), (name) => {
        const ageMs = 1000 * ageS(name, atS, orders['they take turns']);
        return { ageMs, bodyAgeMs: ageMs };
      });
      const says = failing(cannotReach, { ageSeconds: atS });
      const input = { heardMsAgo: new Map([[target, 1000 * (atS + 3)]]) };
      const { findings } = look(atS, { says, rows, without: [target], input });
      if (atS > 15) expect(`${atS}: ${findings[0]?.kind}`).toBe(`${atS}: node-isolated`);
      // Nobody who does not reach it heard it.
      expect(findings.map(({ text }) => text).join()).not.toContain('it reaches them');
    }
  });

  it('is well again once all who did not reach it do', () => {
    const look = watching(nodes);
    const endS = 90;
    for (let atS = 1; atS <= endS + 2 * intervalS; atS += 0.5) {
      const told = (name: string) => atS - ageS(name, atS, orders['they take turns']);
      const rows = rowsOf(namesOf(nodes), (name) => {
        const ageMs = 1000 * (atS - told(name));
        return { ageMs, bodyAgeMs: ageMs };
      });
      const fails: Which = (path) => cannotReach(path) && told(path.from) < endS;
      const seen = look(atS, { says: failing(fails, { ageSeconds: atS }), rows });
      if (atS > endS + intervalS) expect(idsOf(seen)).toEqual([]);
    }
  });
});
