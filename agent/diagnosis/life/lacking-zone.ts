import type { Observations, Observer } from '../evidence/observations.js';
import { coveredIn } from '../evidence/witnesses.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';

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
  const { whole, zones, zoneOf } = index;
  const inZone = (observer: Observer, zone: number, channel: number): number => {
    const of = zones[zone];
    return of ? coveredIn(observer, of, channel) : 0;
  };
  /** The nodes of the other side of which a row tells, and how many there are. */
  const otherSide = (observer: Observer, channel: number): [told: number, size: number] => {
    const isInside = zoneOf[observer.node] === subject.zone;
    const size = zones[subject.zone]?.members.length ?? 0;
    if (!isInside) return [inZone(observer, subject.zone, channel), size];
    if (subject.other !== undefined)
      return [inZone(observer, subject.other, channel), zones[subject.other]?.members.length ?? 0];
    const told = coveredIn(observer, whole, channel) - inZone(observer, subject.zone, channel);
    return [told, index.size - size];
  };
  const failing = new Map<number, number>();
  for (const entry of entries) {
    const observer = all.from[entry] ?? 0;
    failing.set(observer, (failing.get(observer) ?? 0) + 1);
  }
  let lacking = 0;
  for (const [node, nodes] of failing) {
    const observer = observers[observerOf[node] ?? -1];
    if (!observer) continue;
    const sides = channelsIn(knownChannels).map((channel) => otherSide(observer, channel));
    const [told, size] = sides.reduce((most, one) => (one[0] > most[0] ? one : most), [0, 0]);
    if (told >= Math.min(leastTold, size) && told > 0 && nodes >= share * told) lacking++;
  }
  return lacking;
}
