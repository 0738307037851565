import type { Finding } from '../../../agent/diagnosis/finding.js';
import type { Random } from '../../fuzz/random.js';
import type { Packet, Trouble } from './network.js';

/** The nodes of a simulated cluster: their names and zones. */
export interface Layout {
  readonly names: readonly string[];
  readonly zoneOf: readonly number[];
  readonly zones: readonly string[];
}

/** The agent that runs the diagnosis, and the observers whose fresh rows it has. */
export interface View {
  readonly localName: string;
  readonly hasRow: (name: string | undefined) => boolean;
}

/** A fault in the network, and the finding that should name it. */
export interface Fault {
  /** The description in the table of results. */
  readonly what: string;
  readonly trouble: Trouble;
  /** The affected nodes. Two faults of a scenario never share a node. */
  readonly nodes: readonly number[];
  readonly isNamedBy: (finding: Finding, view: View) => boolean;
}

/** Makes a fault of one kind; undefined if the cluster is too small for it. */
type Maker = (layout: Layout, random: Random, free: (node: number) => boolean) => Fault | undefined;

const at = (node: number) => (a: number, b: number) => a === node || b === node;
const involves = (packet: Packet, node: number) => packet.from === node || packet.to === node;

/** Makes a fault of one node that stops some packets. */
function nodeFault(
  what: string,
  trouble: (node: number) => Partial<Trouble>,
  expected: Partial<Finding>,
): Maker {
  return (layout, random, free) => {
    const node = pickNode(layout, random, free);
    if (node === undefined) return undefined;
    const name = layout.names[node];
    return {
      what,
      trouble: { touches: at(node), ...trouble(node) },
      nodes: [node],
      isNamedBy: (finding, { hasRow }) =>
        finding.node === name &&
        Object.entries(expected).every(
          ([key, value]) =>
            finding[key as keyof Finding] === value ||
            // Only the node itself knows whether its own probes work.
            (key === 'direction' && finding.direction === undefined && !hasRow(name)),
        ),
    };
  };
}

function pickNode({ names }: Layout, random: Random, free: (node: number) => boolean) {
  for (let tries = 0; tries < 20; tries++) {
    const node = random.below(names.length);
    if (free(node)) return node;
  }
  return undefined;
}

/** Whether a pair of nodes connects the two groups. */
function between(isA: (node: number) => boolean, isB: (node: number) => boolean) {
  return (a: number, b: number) => (isA(a) && isB(b)) || (isA(b) && isB(a));
}

function pairFault(
  what: string,
  trouble: (crosses: (packet: Packet) => boolean, from: number) => Partial<Trouble>,
  kind: Finding['kind'] = 'pair',
): Maker {
  return (layout, random, free) => {
    if (layout.names.length < 4) return undefined;
    const a = pickNode(layout, random, free);
    const b = pickNode(layout, random, (node) => free(node) && node !== a);
    if (a === undefined || b === undefined) return undefined;
    const touches = between(
      (node) => node === a,
      (node) => node === b,
    );
    const names = [layout.names[a] ?? '', layout.names[b] ?? ''];
    return {
      what,
      trouble: { touches, ...trouble(({ from, to }) => touches(from, to), a) },
      nodes: [a, b],
      isNamedBy: ({ kind: is, pair }) =>
        is === kind && pair !== undefined && names.every((name) => pair.includes(name)),
    };
  };
}

function zonePairFault(
  what: string,
  trouble: (
    crosses: (packet: { from: number; to: number }) => boolean,
    isFirst: (node: number) => boolean,
  ) => Partial<Trouble>,
  kind: Finding['kind'] = 'zones',
): Maker {
  return ({ zones, zoneOf, names }, random) => {
    if (zones.length < 2) return undefined;
    const a = random.below(zones.length);
    const b = (a + 1 + random.below(zones.length - 1)) % zones.length;
    const size = (zone: number) => zoneOf.filter((of) => of === zone).length;
    // A zone of one node cannot be told from that node.
    if (size(a) < 2 || size(b) < 2) return undefined;
    const touches = between(
      (node) => zoneOf[node] === a,
      (node) => zoneOf[node] === b,
    );
    const expected = [zones[a] ?? '', zones[b] ?? ''];
    return {
      what,
      trouble: {
        touches,
        ...trouble(
          ({ from, to }) => touches(from, to),
          (node) => zoneOf[node] === a,
        ),
      },
      nodes: names.flatMap((_, node) => (zoneOf[node] === a || zoneOf[node] === b ? [node] : [])),
      isNamedBy: ({ kind: is, zones: named }) => {
        if (is !== kind || !named) return false;
        if (named.length === 1) return zones.length === 2 && expected.includes(named[0] ?? '');
        return expected.every((zone) => named.includes(zone));
      },
    };
  };
}

function zoneFault(
  what: string,
  trouble: (isIn: (node: number) => boolean) => Partial<Trouble>,
): Maker {
  return ({ zones, zoneOf, names }, random) => {
    if (zones.length < 3) return undefined;
    const zone = random.below(zones.length);
    const isIn = (node: number) => zoneOf[node] === zone;
    const nodes = names.flatMap((_, node) => (isIn(node) ? [node] : []));
    if (nodes.length < 2) return undefined;
    return {
      what,
      trouble: { touches: (a, b) => isIn(a) || isIn(b), ...trouble(isIn) },
      nodes,
      isNamedBy: ({ kind, zones: named }) =>
        kind === 'zones' && named?.length === 1 && named[0] === zones[zone],
    };
  };
}

function clusterFault(
  what: string,
  drops: (packet: Packet) => boolean,
  expected: Partial<Finding>,
): Maker {
  return () => ({
    what,
    trouble: { touches: () => true, drops },
    nodes: [],
    isNamedBy: (finding) =>
      finding.node === undefined &&
      Object.entries(expected).every(([key, value]) => finding[key as keyof Finding] === value),
  });
}

const drop =
  (matches: (packet: Packet, node: number) => boolean) =>
  (node: number): Partial<Trouble> => ({ drops: (packet) => matches(packet, node) });

const randomLoss = (random: number) => 0.03 + 0.07 * random;

/** All kinds of faults. */
export const faultMakers: readonly Maker[] = [
  nodeFault('node off', (node) => ({ isOff: (of) => of === node }), { kind: 'node-down' }),
  (layout, random, free) => {
    const fault = nodeFault('node cut off', drop(involves), { kind: 'node-down' })(
      layout,
      random,
      free,
    );
    if (!fault) return undefined;
    // An agent that is cut off knows that its own node is not dead.
    const own = (finding: Finding) => finding.kind === 'node-isolated' && finding.local === true;
    return {
      ...fault,
      isNamedBy: (finding, view) =>
        view.localName === layout.names[fault.nodes[0] ?? -1]
          ? own(finding)
          : fault.isNamedBy(finding, view),
    };
  },
  nodeFault(
    'requests to node filtered',
    drop(({ to, isNew }, node) => to === node && isNew),
    { kind: 'node-isolated', direction: 'inbound' },
  ),
  nodeFault(
    'requests of node filtered',
    drop(({ from, isNew }, node) => from === node && isNew),
    { kind: 'node-isolated', direction: 'outbound' },
  ),
  nodeFault(
    'agent gone',
    (node) => ({ server: (of, plane) => (of === node && plane === 'host' ? 'closed' : 'answers') }),
    { kind: 'agent-down' },
  ),
  nodeFault(
    'agent hangs',
    (node) => ({ server: (of, plane) => (of === node && plane === 'host' ? 'hangs' : 'answers') }),
    { kind: 'agent-down' },
  ),
  nodeFault(
    'endpoint hangs',
    (node) => ({
      server: (of, plane) => (of === node && plane === 'endpoint' ? 'hangs' : 'answers'),
    }),
    { kind: 'endpoint-down' },
  ),
  nodeFault(
    'tunnel of node cut',
    drop((packet, node) => involves(packet, node) && packet.plane === 'endpoint'),
    { kind: 'endpoint-plane', direction: 'both' },
  ),
  nodeFault(
    'requests to endpoint filtered',
    drop(({ to, isNew, plane }, node) => to === node && isNew && plane === 'endpoint'),
    { kind: 'endpoint-plane', direction: 'inbound' },
  ),
  nodeFault(
    'node IP cut',
    drop((packet, node) => involves(packet, node) && packet.plane === 'host'),
    { kind: 'host-plane' },
  ),
  nodeFault(
    'ICMP of node dropped',
    drop((packet, node) => involves(packet, node) && packet.protocol === 'icmp'),
    { kind: 'icmp-filtered', direction: 'both' },
  ),
  nodeFault(
    'echoes to node IP filtered',
    drop(
      ({ to, isNew, plane, protocol }, node) =>
        to === node && isNew && plane === 'host' && protocol === 'icmp',
    ),
    { kind: 'icmp-filtered', plane: 'host', direction: 'inbound' },
  ),
  nodeFault(
    'probe port of node filtered',
    drop(({ to, isNew, protocol }, node) => to === node && isNew && protocol === 'http'),
    { kind: 'http-filtered' },
  ),
  clusterFault('ICMP dropped everywhere', ({ protocol }) => protocol === 'icmp', {
    kind: 'icmp-filtered',
  }),
  clusterFault('overlay broken everywhere', ({ plane }) => plane === 'endpoint', {
    kind: 'endpoint-plane',
  }),
  clusterFault(
    'endpoint port filtered everywhere',
    ({ plane, protocol, isNew }) => plane === 'endpoint' && protocol === 'http' && isNew,
    { kind: 'http-filtered', plane: 'endpoint' },
  ),
  zonePairFault('zones cut', (crosses) => ({ drops: crosses })),
  zonePairFault('tunnels between zones cut', (crosses) => ({
    drops: (packet) => crosses(packet) && packet.plane === 'endpoint',
  })),
  zonePairFault('requests of one zone to another filtered', (crosses, isFirst) => ({
    drops: (packet) => crosses(packet) && packet.isNew && isFirst(packet.from),
  })),
  zoneFault('zone cut off', (isIn) => ({ drops: ({ from, to }) => isIn(from) !== isIn(to) })),
  zoneFault('zone off', (isIn) => ({ isOff: isIn })),
  pairFault('pair cut', (crosses) => ({ drops: crosses })),
  pairFault('tunnel of pair cut', (crosses) => ({
    drops: (packet) => crosses(packet) && packet.plane === 'endpoint',
  })),
  pairFault('requests of one to another filtered', (crosses, from) => ({
    drops: (packet) => crosses(packet) && packet.isNew && packet.from === from,
  })),
  (layout, random, free) => {
    const share = randomLoss(random.next());
    const loss = (node: number) => (a: number, b: number) => (at(node)(a, b) ? share : 0);
    return nodeFault('node loses packets', (node) => ({ loss: loss(node) }), { kind: 'lossy' })(
      layout,
      random,
      free,
    );
  },
  (layout, random, free) => {
    const share = randomLoss(random.next());
    return pairFault(
      'pair loses packets',
      (crosses) => ({ loss: (from, to) => (crosses(packetOf(from, to)) ? share : 0) }),
      'lossy',
    )(layout, random, free);
  },
  (layout, random, free) => {
    const share = randomLoss(random.next());
    return zonePairFault(
      'zone pair loses packets',
      (crosses) => ({ loss: (from, to) => (crosses({ from, to }) ? share : 0) }),
      'lossy',
    )(layout, random, free);
  },
  nodeFault('node slow', (node) => ({ isSlow: (from) => from === node }), { kind: 'slow' }),
  zonePairFault(
    'zone pair slow',
    (crosses) => ({ isSlow: (from, to) => crosses({ from, to }) }),
    'slow',
  ),
];

function packetOf(from: number, to: number): Packet {
  return { from, to, plane: 'host', protocol: 'icmp', isNew: true };
}
