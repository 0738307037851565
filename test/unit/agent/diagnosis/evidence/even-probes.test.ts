import { expect, it } from 'vitest';
import { allMask, httpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { confirmedRows, namesOf, numberOf, type PathOf, type Saying } from '../cluster.js';
import { explainedIn } from '../explained.js';

const nodes = 40;
const zones = Array.from({ length: nodes }, (_, at) => 'ab'[at % 2] ?? '');
const zoneOf = (node: string) => zones[numberOf(node) - 1];
/** Agents of a cluster of thousands. */
const intervalS = 250;

/** Whether it shows that zone a as a whole cannot reach zone b, where each node has so many failing paths to it on each protocol. */
function isEven(echoes: number, gets: number, mask: number): boolean {
  const says = ({ from, to, protocol }: PathOf): Saying => {
    if (zoneOf(from) !== 'a' || zoneOf(to) !== 'b') return undefined;
    const place = (numberOf(from) + numberOf(to)) % nodes;
    const isFailing = place < 2 * (protocol === 'icmp' ? echoes : gets);
    return isFailing ? { state: 'unreachable', ageSeconds: 3 } : undefined;
  };
  const rows = confirmedRows(namesOf(nodes), 0, () => -1, intervalS);
  const { explained, tally } = explainedIn(nodes, { zones, says, rows });
  const [group = -1, other] = ['a', 'b'].map((name) => tally.index.zoneNumberOf.get(name));
  return explained.subjects.cuts.isEven({ type: 'zones', group, other }, 'in', mask, 0.7);
}

it('that zones are cut shows by the echoes at all of their nodes, however few GETs have failed yet', () => {
  expect(isEven(3, 1, allMask)).toBe(true);
  expect(isEven(3, 1, httpMask)).toBe(false);
});

it('does not show by one failing path of each node', () => {
  expect(isEven(1, 1, allMask)).toBe(false);
});
