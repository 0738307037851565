import type { Finding } from '../../agent/diagnosis/nouns/finding.js';
import type { Plane } from '../../agent/model/path.js';
import type { Random } from '../fuzz/random.js';
import type { Fault, Layout } from './fault.js';

/** What a fault does to looks at a target: the servers that fail, or all of it. */
export interface TargetTrouble {
  readonly target: string;
  readonly isHit: (node: number, plane: Plane) => boolean;
  /** The number of the one DNS server that fails; undefined: the whole target does. */
  readonly server: number | undefined;
  readonly ageS: number;
}

/** A fault of a target or of the way to it. */
export interface TargetFault extends Fault {
  readonly targetTrouble: TargetTrouble;
}

export function isTargetFault(fault: Fault): fault is TargetFault {
  return 'targetTrouble' in fault;
}

/** The targets that each simulated agent probes from both planes. */
export const simulatedTargets = ['cluster-dns', 'registry', 'service'] as const;
export const dnsServers = ['10.96.0.10', '10.96.0.11'] as const;

type Where = 'everywhere' | 'zone' | 'node';

interface TargetKind {
  readonly where: Where;
  readonly plane: Plane | undefined;
  readonly isServer: boolean;
}

const targetFaultKinds: readonly TargetKind[] = (['everywhere', 'zone', 'node'] as const).flatMap(
  (where) => [
    { where, plane: undefined, isServer: false },
    { where, plane: 'host', isServer: false } as const,
    { where, plane: 'endpoint', isServer: false } as const,
    { where, plane: undefined, isServer: true },
  ],
);

/**
 * A random fault of a target; undefined if the cluster has no such zone or node that is free.
 * @param number decides the kind: consecutive numbers go through all
 */
export function randomTargetFault(
  layout: Layout,
  random: Random,
  number: number,
  free: (node: number) => boolean,
  freeTargets: readonly string[],
): TargetFault | undefined {
  const kind = targetFaultKinds[number % targetFaultKinds.length];
  const target = kind?.isServer === true ? 'cluster-dns' : random.pick(freeTargets);
  if (!kind || !freeTargets.includes(target)) return undefined;
  const subject = randomSubject(kind.where, layout, random, free);
  if (!subject) return undefined;
  const server = kind.isServer ? random.below(dnsServers.length) : undefined;
  const isIn = new Set(subject.nodes);
  const isEverywhere = kind.where === 'everywhere';
  const fault = {
    what: `target: ${kind.isServer ? 'one of two DNS servers' : 'all of it'}, ${kind.where}, ${kind.plane ?? 'both planes'}`,
    trouble: { touches: () => false, nodes: [] },
    nodes: subject.nodes,
    isNamedBy: (finding: Finding) =>
      finding.target === target &&
      finding.plane === kind.plane &&
      finding.node === subject.node &&
      finding.zones?.[0] === subject.zone &&
      finding.servers?.[0] === (server === undefined ? undefined : dnsServers[server]) &&
      finding.kind === (isEverywhere ? 'target-down' : 'target-unreachable'),
  };
  const targetTrouble: TargetTrouble = {
    target,
    server,
    ageS: 20 * (1800 / 20) ** random.next(),
    isHit: (node, plane) =>
      (isEverywhere || isIn.has(node)) && (kind.plane === undefined || kind.plane === plane),
  };
  return { ...fault, targetTrouble };
}

interface TargetSubject {
  readonly nodes: readonly number[];
  readonly node?: string;
  readonly zone?: string;
}

function randomSubject(
  where: Where,
  { names, zones, zoneOf }: Layout,
  random: Random,
  free: (node: number) => boolean,
): TargetSubject | undefined {
  if (where === 'everywhere') return { nodes: [] };
  if (where === 'node') {
    const node = random.below(names.length);
    // Of two nodes of which one cannot, and of three, the rest must be able to say that they can.
    return free(node) ? { nodes: [node], node: names[node] ?? '' } : undefined;
  }
  const zone = random.below(zones.length);
  const nodes = zoneOf.flatMap((of, node) => (of === zone ? [node] : []));
  // A zone of one node cannot be told from that node, nor one that is nearly all of the cluster.
  if (zones.length < 2 || nodes.length < 2 || names.length - nodes.length < 2) return undefined;
  return nodes.every(free) ? { nodes, zone: zones[zone] ?? '' } : undefined;
}
