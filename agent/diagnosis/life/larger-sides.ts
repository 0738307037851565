import type { Cause } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { without, type Side } from '../nouns/sight.js';
import type { Cut } from '../nouns/subject.js';
import type { PathSubjects } from '../search/path-subjects.js';
import { isIntoZone } from './spreading.js';

/** The sides of the causes that a cause may be a part of. */
export function largerSides(
  { subject, ways }: Cause,
  subjects: PathSubjects,
  index: ClusterIndex,
): Side[] {
  const { zoneOf, zones } = index;
  const cluster = subjects.sides({ type: 'cluster' }).to;
  switch (subject.type) {
    case 'cluster':
      return [];
    case 'zones':
      if (zones.length === 2) return [];
      return subject.other === undefined ? [cluster] : restOfZones(subject, subject.other);
    case 'group':
      return [cluster];
    case 'groups':
      return [
        cluster,
        ...[subject.group, subject.other ?? -1].map((group) => {
          const { to, from } = subjects.sides({ type: 'group', group });
          return ways === 'out' ? from : to;
        }),
      ];
    case 'node':
      return zoneSides(zoneOf[subject.node] ?? -1);
    case 'pair': {
      const [a, b] = [subject.from, subject.to];
      const [first, second] = [zoneOf[a] ?? -1, zoneOf[b] ?? -1];
      return [
        subjects.sides({ type: 'node', node: a }).from,
        subjects.sides({ type: 'node', node: b }).to,
        ...(first === second || first === -1 || second === -1
          ? []
          : [subjects.sides({ type: 'zones', group: first, other: second }).to]),
      ];
    }
  }

  function zoneSides(zone: number, isInto = isIntoZone(ways, index)): Side[] {
    if ((zones[zone]?.members.length ?? 0) < 2 || zones.length < 2) return [];
    const other = zones.length === 2 ? 1 - zone : undefined;
    const { to, from } = subjects.sides({ type: 'zones', group: zone, other });
    // Of two zones `to` leads from the first to the other one.
    return [isInto === (other === undefined) ? to : from];
  }

  /** What else two zones send or get, in the direction of their cut: both ways, what they get. */
  function restOfZones(cut: Cut, other: number): Side[] {
    const { to, from } = subjects.sides(cut);
    return [
      ...zoneSides(cut.group, ways !== 'in').map((one) => without(one, ways === 'in' ? to : from)),
      ...zoneSides(other, ways !== 'out').map((one) => without(one, ways === 'out' ? from : to)),
    ];
  }
}
