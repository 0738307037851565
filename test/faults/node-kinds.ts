import type { Finding } from '../../agent/diagnosis/nouns/finding.js';
import type { Plane } from '../../agent/model/path.js';
import type { Packet, Trouble } from './trouble.js';
import type { Expected, Fault, FaultKind, Layout, Losing, Subject, View } from './fault.js';

/** What a node fault does to packets and hosts. `share` is the share of lost packets. */
type Effect = (node: number, share: number) => Partial<Trouble>;

export function nodeKind(
  what: string,
  effect: Effect,
  expected: Expected,
  loses?: Losing,
): FaultKind {
  return {
    what,
    on: 'node',
    loses,
    expected: (layout, subject) => ({ ...expected, node: nameOf(layout, subject) }),
    make: (layout, subject, share): Fault => {
      const node = nodeOf(subject);
      const name = nameOf(layout, subject);
      return {
        what,
        trouble: {
          touches: (a, b) => a === node || b === node,
          nodes: [node],
          ...effect(node, share),
        },
        nodes: [node],
        isNamedBy: (finding, view) => finding.node === name && matches(finding, expected, view),
      };
    },
  };
}

function nodeOf(subject: Subject): number {
  if (subject.type !== 'node') throw new RangeError('expected a node');
  return subject.node;
}

function nameOf({ names }: Layout, subject: Subject): string {
  return names[nodeOf(subject)] ?? '';
}

function matches(finding: Finding, expected: Expected, { hasRow }: View): boolean {
  return Object.entries(expected).every(
    ([key, value]) =>
      finding[key as keyof Finding] === value ||
      // Only the node itself knows whether its own probes work.
      (key === 'direction' && finding.direction === undefined && !hasRow(finding.node)),
  );
}

/** Where echoes fail anyway, no more is known than that a server of the node does not answer. */
function orServer(
  kind: FaultKind,
  server: Expected['kind'],
  isTold: (finding: Finding, view: View) => boolean = () => true,
): FaultKind {
  return {
    ...kind,
    make: (layout, subject, share) => {
      const fault = kind.make(layout, subject, share);
      const node = nameOf(layout, subject);
      return {
        ...fault,
        isNamedBy: (finding, view) => {
          const isServer = view.failEchoesAnyway === true && isTold(finding, view);
          if (isServer && finding.kind === server && finding.node === node) return true;
          return (!isServer || view.isLenient === true) && fault.isNamedBy(finding, view);
        },
      };
    },
  };
}

/** The node's own row tells that it does not reach the others either, which is no matter of a server. */
const isWithoutRow = ({ node }: Finding, { hasRow }: View) => !hasRow(node);

/** An agent that is cut off knows that its own node is not dead. */
function knownToItself(kind: FaultKind): FaultKind {
  return {
    ...kind,
    expectedOnItself: (layout, subject) => ({
      kind: 'node-isolated',
      node: nameOf(layout, subject),
      local: true,
    }),
    make: (layout, subject, share) => {
      const fault = kind.make(layout, subject, share);
      return {
        ...fault,
        isNamedBy: (finding, view) =>
          view.localName === nameOf(layout, subject)
            ? finding.kind === 'node-isolated' && finding.local === true
            : fault.isNamedBy(finding, view),
      };
    },
  };
}

const involves = (packet: Packet, node: number) => packet.from === node || packet.to === node;

const drop =
  (isDropped: (packet: Packet, node: number) => boolean): Effect =>
  (node) => ({ drops: (packet) => isDropped(packet, node) });

/** The echo requests to a node are dropped, on one plane or on both. */
function echoesTo(on: Plane | undefined, what: string): FaultKind {
  return nodeKind(
    what,
    drop(
      ({ to, isNew, plane, protocol }, node) =>
        to === node && isNew && plane === (on ?? plane) && protocol === 'icmp',
    ),
    { kind: 'icmp-filtered', ...(on && { plane: on }), direction: 'inbound' },
  );
}

/** The faults of one node. */
export const nodeKinds = {
  off: orServer(
    nodeKind('node off', (node) => ({ isOff: (of) => of === node }), { kind: 'node-down' }),
    'agent-down',
  ),
  cutOff: knownToItself(
    orServer(nodeKind('node cut off', drop(involves), { kind: 'node-down' }), 'agent-down'),
  ),
  // Nothing that it sends arrives, and it still receives.
  cannotSend: knownToItself(
    orServer(
      nodeKind(
        'node cannot send',
        drop(({ from }, node) => from === node),
        { kind: 'node-down' },
      ),
      'agent-down',
    ),
  ),
  requestsTo: nodeKind(
    'requests to node filtered',
    drop(({ to, isNew }, node) => to === node && isNew),
    { kind: 'node-isolated', direction: 'inbound' },
  ),
  requestsOf: nodeKind(
    'requests of node filtered',
    drop(({ from, isNew }, node) => from === node && isNew),
    { kind: 'node-isolated', direction: 'outbound' },
  ),
  agentGone: nodeKind(
    'agent gone',
    (node) => ({ server: (of, plane) => (of === node && plane === 'host' ? 'closed' : 'answers') }),
    { kind: 'agent-down' },
  ),
  agentHangs: nodeKind(
    'agent hangs',
    (node) => ({ server: (of, plane) => (of === node && plane === 'host' ? 'hangs' : 'answers') }),
    { kind: 'agent-down' },
  ),
  endpointHangs: nodeKind(
    'endpoint hangs',
    (node) => ({
      server: (of, plane) => (of === node && plane === 'endpoint' ? 'hangs' : 'answers'),
    }),
    { kind: 'endpoint-down' },
  ),
  tunnel: orServer(
    nodeKind(
      'tunnel of node cut',
      drop((packet, node) => involves(packet, node) && packet.plane === 'endpoint'),
      { kind: 'endpoint-plane', direction: 'both' },
    ),
    'endpoint-down',
    isWithoutRow,
  ),
  requestsToEndpoint: orServer(
    nodeKind(
      'requests to endpoint filtered',
      drop(({ to, isNew, plane }, node) => to === node && isNew && plane === 'endpoint'),
      { kind: 'endpoint-plane', direction: 'inbound' },
    ),
    'endpoint-down',
  ),
  hostPlane: orServer(
    nodeKind(
      'node IP cut',
      drop((packet, node) => involves(packet, node) && packet.plane === 'host'),
      { kind: 'host-plane' },
    ),
    'agent-down',
    isWithoutRow,
  ),
  icmp: nodeKind(
    'ICMP of node dropped',
    drop((packet, node) => involves(packet, node) && packet.protocol === 'icmp'),
    { kind: 'icmp-filtered', direction: 'both' },
  ),
  echoes: echoesTo(undefined, 'echoes to node filtered'),
  hostEchoes: echoesTo('host', 'echoes to node IP filtered'),
  probePort: nodeKind(
    'probe port of node filtered',
    drop(({ to, isNew, protocol }, node) => to === node && isNew && protocol === 'http'),
    { kind: 'http-filtered' },
  ),
  requestsToNodeIp: nodeKind(
    'requests to node IP filtered',
    drop(({ to, isNew, plane }, node) => to === node && isNew && plane === 'host'),
    { kind: 'host-plane', direction: 'inbound' },
  ),
  endpointEchoes: echoesTo('endpoint', 'echoes to endpoint filtered'),
  endpointGets: nodeKind(
    'GETs at endpoint filtered',
    drop(
      (packet, node) =>
        involves(packet, node) && packet.plane === 'endpoint' && packet.protocol === 'http',
    ),
    { kind: 'http-filtered', plane: 'endpoint', direction: 'both' },
  ),
  loss: nodeKind(
    'node loses packets',
    (node, share) => ({ loss: (a, b) => (a === node || b === node ? share : 0) }),
    { kind: 'lossy' },
    'packets',
  ),
  slow: nodeKind('node slow', (node) => ({ isSlow: (from) => from === node }), { kind: 'slow' }),
} satisfies Readonly<Record<string, FaultKind>>;
