import { indexCluster } from '../../agent/diagnosis/nouns/cluster-index.js';
import type { DiagnosisInput } from '../../agent/diagnosis/nouns/diagnosis-input.js';
import type { DiagnosisNode } from '../../agent/diagnosis/nouns/diagnosis-node.js';

/** When a diagnosis is made, if nothing else is said. */
export const start = Date.parse('2026-11-21T12:00:00Z');

/** The addresses of the node with that number, on both planes. */
export function addressesOf(number: number) {
  const ending = `${number >> 8}.${number & 255}`;
  return { host: [`10.0.${ending}`], endpoint: [`10.244.${ending}`] };
}

/** An active node with an address on each plane. */
export function makeNode(
  name: string,
  number: number,
  more: Partial<DiagnosisNode> = {},
): DiagnosisNode {
  return { name, zone: undefined, phase: 'active', ...addressesOf(number), ...more };
}

/** What an agent that has run for an hour knows of a cluster. The local node is the first, if nothing else is said. */
export function makeInput(
  nodes: readonly DiagnosisNode[],
  more: Partial<DiagnosisInput> & Pick<DiagnosisInput, 'rows'>,
  groupBy?: readonly string[],
): DiagnosisInput {
  return {
    index: indexCluster(nodes, groupBy),
    localName: nodes[0]?.name ?? '',
    probePort: 4240,
    namespace: 'meshprobe',
    targets: [],
    silentMs: new Map(),
    heardMsAgo: new Map(),
    now: start,
    wallOffsetMs: 0,
    uptimeMs: 3_600_000,
    previous: undefined,
    ...more,
  };
}
