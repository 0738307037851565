import type { Random } from '../../../fuzz/random.js';
import type { Fault, Layout } from '../../../faults/fault.js';
import type { Conditions } from './conditions.js';

/** A random local agent, missing and stale rows, noise, and an age for each fault. */
export function randomConditions(
  layout: Layout,
  faults: readonly Fault[],
  random: Random,
): Conditions {
  const { names, zones, zoneOf } = layout;
  const hasAgent = (node: number) =>
    !faults.some(
      ({ trouble: { isOff, server } }) =>
        (isOff?.(node) ?? false) || (server?.(node, 'host') ?? 'answers') !== 'answers',
    );
  let local = random.below(names.length);
  while (!hasAgent(local)) local = (local + 1) % names.length;
  const missingShare = random.below(2) === 0 ? 0 : random.next() * 0.15;
  const missing = names.map((_, node) =>
    node !== local && random.next() < missingShare ? 1 + random.below(2) : 0,
  );
  const troubles = [...new Set(faults.map(({ trouble }) => trouble))];
  return {
    names,
    local,
    zones: names.map((_, node) => (zones.length > 1 ? zones[zoneOf[node] ?? 0] : undefined)),
    troubles: troubles.map((trouble) => ({ trouble, ageS: randomAgeS(trouble, random) })),
    wrongShare: random.below(2) === 0 ? 0 : random.next() * 0.01,
    strayLoss: random.below(2) === 0 ? 0 : 10 ** (-6 + 2.7 * random.next()),
    straySlow: random.below(2) === 0 ? 0 : random.next() * 0.01,
    isSilent: (node) => missing[node] === 1,
    isStale: (node) => missing[node] === 2,
  };
}

/**
 * A random age of up to half an hour. It starts at the time that agents need to see the fault,
 * which is longest for losses.
 */
function randomAgeS(
  { loss, flowLoss, isSlow, dropsLarge }: Fault['trouble'],
  random: Random,
): number {
  const leastS = loss || flowLoss ? 240 : isSlow || dropsLarge ? 120 : 20;
  return leastS * (1800 / leastS) ** random.next();
}
