import { groupTextOf } from '../../api/schema/v1/finding-subject.js';
import type { LabelledNodes } from './random-labels.js';
import type { Trouble } from './trouble.js';
import type { Fault, FaultKind, Layout } from './fault.js';
import { largeKinds } from './large-kinds.js';
import { nodeKinds } from './node-kinds.js';

/** The faults that all nodes with one value of a label may have. */
export const labelKinds: readonly FaultKind[] = [
  nodeKinds.off,
  nodeKinds.requestsTo,
  nodeKinds.requestsOf,
  nodeKinds.agentGone,
  nodeKinds.endpointHangs,
  nodeKinds.tunnel,
  nodeKinds.hostPlane,
  nodeKinds.icmp,
  nodeKinds.hostEchoes,
  nodeKinds.probePort,
  nodeKinds.loss,
  nodeKinds.slow,
  ...largeKinds.filter(({ on }) => on === 'node'),
];

/** The same fault at each of some nodes, which is to be told by what they have in common. */
export function faultOfAll(
  kind: FaultKind,
  layout: Layout,
  { text, nodes }: LabelledNodes,
  share: number,
): Fault {
  const troubles = new Map(
    nodes.map((node) => [node, kind.make(layout, { type: 'node', node }, share).trouble]),
  );
  return {
    what: `of a group: ${kind.what}`,
    trouble: together(nodes, troubles),
    nodes,
    isOfGroup: true,
    isOfTwoValues: text.includes(','),
    isNamedBy: ({ group }) =>
      group !== undefined && [groupTextOf(group), ...(group.like ?? [])].includes(text),
  };
}

/** What a fault of one node does depends on whether the node is the sender or the receiver. */
function together(nodes: readonly number[], troubles: ReadonlyMap<number, Trouble>): Trouble {
  const ofBoth = (from: number, to: number) =>
    [troubles.get(from), troubles.get(to)].filter((one) => one !== undefined);
  const [one] = troubles.values();
  return {
    touches: (a, b) => troubles.has(a) || troubles.has(b),
    nodes,
    ...(one?.drops && {
      drops: (packet) => ofBoth(packet.from, packet.to).some(({ drops }) => drops?.(packet)),
    }),
    ...(one?.server && {
      server: (node, plane) => troubles.get(node)?.server?.(node, plane) ?? 'answers',
    }),
    ...(one?.isOff && { isOff: (node) => troubles.has(node) }),
    ...(one?.loss && {
      loss: (from, to, plane) =>
        Math.max(0, ...ofBoth(from, to).map(({ loss }) => loss?.(from, to, plane) ?? 0)),
    }),
    ...(one?.isSlow && {
      isSlow: (from, to, plane) => ofBoth(from, to).some(({ isSlow }) => isSlow?.(from, to, plane)),
    }),
    ...(one?.dropsLarge && {
      dropsLarge: (from, to, plane) =>
        ofBoth(from, to).some(({ dropsLarge }) => dropsLarge?.(from, to, plane)),
    }),
  };
}
