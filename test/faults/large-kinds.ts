import type { FaultKind } from './fault.js';
import { degradedClusterKind, pairKind, zonePairKind, type Effect } from './group-kinds.js';
import { nodeKind } from './node-kinds.js';

const bothWays: Effect = ({ crosses }) => ({ dropsLarge: crosses });
const oneWay: Effect = ({ crosses, isFirst }) => ({
  dropsLarge: (from, to) => isFirst(from) && crosses(from, to),
});
const overlay: Effect = ({ crosses }) => ({
  dropsLarge: (from, to, plane) => plane === 'endpoint' && crosses(from, to),
});

/** The faults that only large packets meet. */
export const largeKinds: readonly FaultKind[] = [
  nodeKind(
    'large packets of node lost',
    (node) => ({ dropsLarge: (from, to) => from === node || to === node }),
    { kind: 'mtu', direction: 'both' },
  ),
  nodeKind('large packets from node lost', (node) => ({ dropsLarge: (from) => from === node }), {
    kind: 'mtu',
    direction: 'outbound',
  }),
  nodeKind(
    'large packets of endpoint lost',
    (node) => ({
      dropsLarge: (from, to, plane) => plane === 'endpoint' && (from === node || to === node),
    }),
    { kind: 'mtu', plane: 'endpoint' },
  ),
  pairKind('large packets of pair lost', bothWays, 'mtu'),
  pairKind('large packets of one to another lost', oneWay, 'mtu'),
  zonePairKind('large packets between zones lost', bothWays, 'mtu'),
  zonePairKind('large packets of one zone to another lost', oneWay, 'mtu'),
  zonePairKind('large packets of tunnels between zones lost', overlay, 'mtu'),
  degradedClusterKind('all large packets lost', 'mtu', undefined, (_, isIn) => ({
    dropsLarge: (__, ___, plane) => isIn(plane),
  })),
  degradedClusterKind('all large packets of the overlay lost', 'mtu', 'endpoint', (_, isIn) => ({
    dropsLarge: (__, ___, plane) => isIn(plane),
  })),
];
