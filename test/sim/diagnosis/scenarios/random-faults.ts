import type { Random } from '../../../fuzz/random.js';
import { randomFault, type Fault, type FaultKind, type Layout } from '../../../faults/fault.js';
import { faultKinds } from '../../../faults/kinds.js';

/** A random number of faults that can be told apart; none for every eighth seed. */
export function randomFaultCount({ names }: Layout, random: Random, seed: number): number {
  // In a small cluster, several faults at once look like another fault. If one node and two nodes
  // are apart, nobody knows which side is cut off.
  const mostFaults = names.length < 6 ? 1 : names.length < 12 ? 2 : 3;
  return seed % 8 === 0 ? 0 : Math.min(1 + random.below(3), mostFaults);
}

/**
 * Random faults that share no node, neither with each other nor with those that are given.
 * @param firstKind the number of the first fault's kind. Consecutive numbers go through all kinds.
 */
export function randomFaults(
  layout: Layout,
  wanted: number,
  random: Random,
  firstKind: number,
  given: readonly Fault[] = [],
  kinds: readonly FaultKind[] = faultKinds,
): Fault[] {
  const faults = [...given];
  const taken = new Set<number>(given.flatMap(({ nodes }) => nodes));
  const enough = given.length + wanted;
  for (let tries = 0; faults.length < enough && tries < 40; tries++) {
    const kind = tries === 0 ? kinds[firstKind % kinds.length] : random.pick(kinds);
    const fault = kind && randomFault(kind, layout, random, (node) => !taken.has(node));
    if (!fault || fault.nodes.some((node) => taken.has(node))) continue;
    // A large fault comes alone or first. All later faults affect at most half of the nodes.
    if (faults.length > 0 && isLarge(fault, layout)) continue;
    faults.push(fault);
    for (const node of fault.nodes) taken.add(node);
  }
  return faults;
}

/** Random faults of different kinds, of which all share a node with the first. */
export function overlappingFaults(
  layout: Layout,
  wanted: number,
  random: Random,
  firstKind: number,
): Fault[] {
  const [first] = randomFaults(layout, Math.min(wanted, 1), random, firstKind);
  if (!first) return [];
  const faults = [first];
  for (let tries = 0; faults.length < wanted && tries < 200; tries++) {
    const kind = random.pick(faultKinds);
    const fault = randomFault(kind, layout, random, () => true);
    const isNew = faults.every(({ what }) => what !== kind.what);
    const overlaps = fault?.nodes.some((node) => first.nodes.includes(node)) ?? false;
    if (fault && isNew && overlaps && !isLarge(fault, layout)) faults.push(fault);
  }
  return faults;
}

function isLarge({ nodes }: Fault, { names }: Layout): boolean {
  return nodes.length === 0 || nodes.length > names.length / 2;
}
