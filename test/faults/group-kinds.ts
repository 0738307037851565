import type { Finding } from '../../agent/diagnosis/nouns/finding.js';
import type { Plane } from '../../agent/model/path.js';
import type { Packet, Trouble } from './trouble.js';
import { nodesOf, type Expected, type FaultKind, type Losing } from './fault.js';

/** Which packets go between the two sides of a fault, and which start on its first side. */
interface Sides {
  readonly crosses: (from: number, to: number) => boolean;
  readonly isFirst: (node: number) => boolean;
}

export type Effect = (sides: Sides, share: number) => Partial<Trouble>;

/** Whether two nodes are on different sides. */
export function between(isA: (node: number) => boolean, isB: (node: number) => boolean) {
  return (a: number, b: number) => (isA(a) && isB(b)) || (isA(b) && isB(a));
}

export type CutWays = 'both' | 'outbound';

/**
 * Whether a finding of two sides tells a cut the right way round: that the reverse works where it does, and where it does not, that or
 * nothing. `startsFirst`: it names the first side of the cut first. It is of the direction from the first that it names, unless it says
 * `inbound`.
 */
export function isRightWay(
  ways: CutWays,
  { direction }: Pick<Finding, 'direction'>,
  startsFirst: boolean,
): boolean {
  if (ways === 'both') return direction === undefined || direction === 'both';
  return direction !== 'both' && startsFirst === (direction !== 'inbound');
}

export function pairKind(
  what: string,
  effect: Effect,
  kind: Finding['kind'] = 'pair',
  loses?: Losing,
  ways?: CutWays,
): FaultKind {
  return {
    what,
    on: 'pair',
    loses,
    expected: (layout, subject) => {
      const [from = '', to = ''] = nodesOf(layout, subject).map((node) => layout.names[node] ?? '');
      return { kind, pair: [from, to] };
    },
    make: (layout, subject, share) => {
      if (subject.type !== 'pair') throw new RangeError('expected a pair');
      const isFirst = (node: number) => node === subject.from;
      const touches = between(isFirst, (node) => node === subject.to);
      const nodes = nodesOf(layout, subject);
      const names = nodes.map((node) => layout.names[node] ?? '');
      return {
        what,
        trouble: { touches, nodes, ...effect({ crosses: touches, isFirst }, share) },
        nodes,
        isNamedBy: (finding) => {
          const { kind: is, pair } = finding;
          if (is !== kind || !pair || !names.every((name) => pair.includes(name))) return false;
          return !ways || isRightWay(ways, finding, pair[0] === names[0]);
        },
      };
    },
  };
}

export function zonePairKind(
  what: string,
  effect: Effect,
  kind: Finding['kind'] = 'zones',
  loses?: Losing,
  ways?: CutWays,
): FaultKind {
  return {
    what,
    on: 'zones',
    loses,
    expected: ({ zones }, subject) => {
      if (subject.type !== 'zones') throw new RangeError('expected two zones');
      return { kind, zones: [zones[subject.from] ?? '', zones[subject.to] ?? ''] };
    },
    make: (layout, subject, share) => {
      if (subject.type !== 'zones') throw new RangeError('expected two zones');
      const { zones, zoneOf } = layout;
      const isFirst = (node: number) => zoneOf[node] === subject.from;
      const touches = between(isFirst, (node) => zoneOf[node] === subject.to);
      const nodes = nodesOf(layout, subject);
      const expected = [zones[subject.from] ?? '', zones[subject.to] ?? ''];
      return {
        what,
        trouble: { touches, nodes, ...effect({ crosses: touches, isFirst }, share) },
        nodes,
        isNamedBy: (finding) => {
          const { kind: is, zones: named } = finding;
          if (is !== kind || !named) return false;
          const isOne = named.length === 1 && zones.length === 2;
          const areNamed = isOne
            ? expected.includes(named[0] ?? '')
            : expected.every((zone) => named.includes(zone));
          return areNamed && (!ways || isRightWay(ways, finding, named[0] === expected[0]));
        },
      };
    },
  };
}

function cutOfPair(what: string, effect: Effect, ways: CutWays): FaultKind {
  return pairKind(what, effect, 'pair', undefined, ways);
}

function cutOfZones(what: string, effect: Effect, ways: CutWays): FaultKind {
  return zonePairKind(what, effect, 'zones', undefined, ways);
}

export function zoneKind(
  what: string,
  effect: (isIn: (node: number) => boolean, share: number) => Partial<Trouble>,
  kind: Finding['kind'] = 'zones',
  loses?: Losing,
): FaultKind {
  return {
    what,
    on: 'zone',
    loses,
    expected: ({ zones }, subject) => {
      if (subject.type !== 'zone') throw new RangeError('expected a zone');
      return { kind, zones: [zones[subject.zone] ?? ''] };
    },
    make: (layout, subject, share) => {
      if (subject.type !== 'zone') throw new RangeError('expected a zone');
      const { zones, zoneOf } = layout;
      const isIn = (node: number) => zoneOf[node] === subject.zone;
      const nodes = nodesOf(layout, subject);
      return {
        what,
        trouble: { touches: (a, b) => isIn(a) || isIn(b), nodes, ...effect(isIn, share) },
        nodes,
        isNamedBy: (finding) =>
          finding.kind === kind &&
          finding.zones?.length === 1 &&
          finding.zones[0] === zones[subject.zone] &&
          isRightWay('both', finding, true),
      };
    },
  };
}

function clusterKind(
  what: string,
  drops: (packet: Packet) => boolean,
  expected: Expected,
): FaultKind {
  return {
    what,
    on: 'cluster',
    expected: () => expected,
    make: () => ({
      what,
      trouble: { touches: () => true, drops },
      nodes: [],
      isNamedBy: (finding) =>
        finding.node === undefined &&
        Object.entries(expected).every(([key, value]) => finding[key as keyof Finding] === value),
    }),
  };
}

const lose: Effect = ({ crosses }, share) => ({
  loss: (from, to) => (crosses(from, to) ? share : 0),
});

/** What may be cut between two sides. */
export const cuts = {
  all: ({ crosses }) => ({ drops: ({ from, to }) => crosses(from, to) }),
  tunnels: ({ crosses }) => ({
    drops: ({ from, to, plane }) => plane === 'endpoint' && crosses(from, to),
  }),
  requestsOfFirst: ({ crosses, isFirst }) => ({
    drops: ({ from, to, isNew }) => isNew && isFirst(from) && crosses(from, to),
  }),
} satisfies Readonly<Record<string, Effect>>;

/** The faults of a pair of nodes. */
export const pairKinds = {
  cut: cutOfPair('pair cut', cuts.all, 'both'),
  tunnel: cutOfPair('tunnel of pair cut', cuts.tunnels, 'both'),
  oneWay: cutOfPair('requests of one to another filtered', cuts.requestsOfFirst, 'outbound'),
  loss: pairKind('pair loses packets', lose, 'lossy', 'packets'),
} satisfies Readonly<Record<string, FaultKind>>;

/** The faults of a pair of zones, or of one zone. */
export const zoneKinds = {
  cut: cutOfZones('zones cut', cuts.all, 'both'),
  tunnels: cutOfZones('tunnels between zones cut', cuts.tunnels, 'both'),
  oneWay: cutOfZones('requests of one zone to another filtered', cuts.requestsOfFirst, 'outbound'),
  cutOff: zoneKind('zone cut off', (isIn) => ({
    drops: ({ from, to }) => isIn(from) !== isIn(to),
  })),
  off: zoneKind('zone off', (isIn) => ({ isOff: isIn })),
  loss: zonePairKind('zone pair loses packets', lose, 'lossy', 'packets'),
  slow: zonePairKind('zone pair slow', ({ crosses }) => ({ isSlow: crosses }), 'slow'),
} satisfies Readonly<Record<string, FaultKind>>;

/** All paths lose packets, of any size or large ones, or are slow; or all of one plane. */
export function degradedClusterKind(
  what: string,
  kind: Finding['kind'],
  plane: Plane | undefined,
  effect: (share: number, isIn: (plane: Plane) => boolean) => Partial<Trouble>,
): FaultKind {
  return {
    what,
    on: 'cluster',
    loses: kind === 'lossy' ? 'packets' : undefined,
    expected: () => ({ kind, ...(plane && { plane }) }),
    make: (_, __, share) => ({
      what,
      trouble: {
        touches: () => true,
        ...effect(share, (one) => plane === undefined || one === plane),
      },
      nodes: [],
      isNamedBy: (finding) =>
        finding.kind === kind &&
        finding.plane === plane &&
        finding.node === undefined &&
        finding.pair === undefined &&
        finding.zones === undefined,
    }),
  };
}

type LossEffect = Parameters<typeof degradedClusterKind>[3];

const loseAll: LossEffect = (share, isIn) => ({
  loss: (_, __, plane) => (isIn(plane) ? share : 0),
});
const slowAll: LossEffect = (_, isIn) => ({ isSlow: (__, ___, plane) => isIn(plane) });

export const allLosePackets = degradedClusterKind(
  'all paths lose packets',
  'lossy',
  undefined,
  loseAll,
);

/** The degradations of the whole cluster. */
export const degradedClusterKinds: readonly FaultKind[] = [
  allLosePackets,
  degradedClusterKind('the overlay loses packets', 'lossy', 'endpoint', loseAll),
  degradedClusterKind('all paths slow', 'slow', undefined, slowAll),
  degradedClusterKind('the overlay slow', 'slow', 'endpoint', slowAll),
];

/** The faults of the whole cluster. */
export const clusterKinds = {
  http: clusterKind(
    'probe port filtered everywhere',
    ({ protocol, isNew }) => protocol === 'http' && isNew,
    { kind: 'http-filtered' },
  ),
  icmp: clusterKind('ICMP dropped everywhere', ({ protocol }) => protocol === 'icmp', {
    kind: 'icmp-filtered',
  }),
  overlay: clusterKind('overlay broken everywhere', ({ plane }) => plane === 'endpoint', {
    kind: 'endpoint-plane',
  }),
  endpointPort: clusterKind(
    'endpoint port filtered everywhere',
    ({ plane, protocol, isNew }) => plane === 'endpoint' && protocol === 'http' && isNew,
    { kind: 'http-filtered', plane: 'endpoint' },
  ),
} satisfies Readonly<Record<string, FaultKind>>;
