import type { Random } from '../../../fuzz/random.js';
import type { Fault, Layout } from '../../../faults/fault.js';
import { clusterKinds, zoneKinds } from '../../../faults/group-kinds.js';
import { nodeKinds } from '../../../faults/node-kinds.js';
import { randomTargetFault, simulatedTargets } from '../../../faults/target-kinds.js';

/** Faults of paths because of which targets fail too, or seem to. */
export const pathKindsBesideTargets = [
  nodeKinds.off,
  nodeKinds.cutOff,
  nodeKinds.requestsOf,
  nodeKinds.tunnel,
  nodeKinds.hostPlane,
  clusterKinds.icmp,
  clusterKinds.overlay,
  zoneKinds.cut,
  zoneKinds.tunnels,
  zoneKinds.cutOff,
];

const isBetweenZones = ({ what }: Fault) => what.includes('zones');

/**
 * Faults of paths, and with them faults of targets, until there are as many as wanted. They share no node
 * and no target.
 * @param firstKind the number of the first target fault's kind
 */
export function withTargetFaults(
  layout: Layout,
  paths: readonly Fault[],
  wanted: number,
  random: Random,
  firstKind: number,
): Fault[] {
  const faults: Fault[] = [...paths];
  const taken = new Set(paths.flatMap(({ nodes }) => nodes));
  const freeTargets: string[] = [...simulatedTargets];
  for (let tries = 0; faults.length < wanted && tries < 40; tries++) {
    const number = tries === 0 ? firstKind : random.below(12);
    const isFree = (node: number) => !taken.has(node);
    const fault = randomTargetFault(layout, random, number, isFree, freeTargets);
    if (!fault) continue;
    faults.push(fault);
    freeTargets.splice(freeTargets.indexOf(fault.targetTrouble.target), 1);
    for (const node of fault.nodes) taken.add(node);
  }
  return faults;
}

/** The hosts at which each target is: all, or those of a zone. */
export function targetHosts(
  { names, zones, zoneOf }: Layout,
  paths: readonly Fault[],
  random: Random,
): ReadonlyMap<string, readonly number[]> {
  const all = [...names.keys()];
  const zone = random.below(zones.length);
  const inZone = all.filter((node) => zoneOf[node] === zone);
  // What is behind a broken place is not reached by others, which is no finding too many.
  const isBehind = paths.some(
    ({ nodes }) => inZone.filter((node) => !nodes.includes(node)).length < 2,
  );
  return new Map([
    ['cluster-dns', all],
    ['service', all],
    ['registry', isBehind && !paths.some(isBetweenZones) ? all : inZone],
  ]);
}
