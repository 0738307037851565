import type { Observations } from '../evidence/observations.js';
import { toldOf } from '../evidence/paths-of.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { sidesOf, sizeOfSide } from '../nouns/subject.js';

/** Of a zone a row that leaves nodes out must tell of so many: what fails of fewer is chance. */
const leastTold = 10;

/**
 * How many observers lack most of a whole zone. A row that leaves nodes out tells of those with the lowest hashes: they stand
 * for the others.
 * @param share so many of the nodes of which a row tells must fail
 */
export function countLackingZone(
  { subject, entries, knownChannels }: Pick<Cause, 'subject' | 'entries' | 'knownChannels'>,
  { entries: all, observers, observerOf }: Observations,
  index: ClusterIndex,
  share: number,
): number {
  if (subject.type !== 'zones') return 0;
  const { inner, outer } = sidesOf(subject, index);
  const failing = new Map<number, number>();
  for (const entry of entries) {
    const observer = all.from[entry] ?? 0;
    failing.set(observer, (failing.get(observer) ?? 0) + 1);
  }
  let lacking = 0;
  for (const [node, nodes] of failing) {
    const observer = observers[observerOf[node] ?? -1];
    if (!observer) continue;
    const side = inner.isIn(node) ? outer : inner;
    const told = Math.max(
      ...channelsIn(knownChannels).map((channel) => toldOf(observer, side, channel, index)),
    );
    if (told >= Math.min(leastTold, sizeOfSide(side)) && told > 0 && nodes >= share * told)
      lacking++;
  }
  return lacking;
}
