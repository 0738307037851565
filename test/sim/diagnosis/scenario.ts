import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/diagnosis-input.js';
import { Random } from '../../fuzz/random.js';
import { faultMakers, type Fault, type Layout, type View } from './faults.js';
import { lossOf, isSlow, probe } from './network.js';
import { observeNetwork, type Conditions } from './observe-network.js';

export const now = Date.parse('2026-11-21T12:00:00Z');

/** A simulated cluster with its faults, and the diagnosis of it. */
export interface Scenario {
  readonly seed: number;
  readonly input: DiagnosisInput;
  readonly output: DiagnosisOutput;
  /** The visible faults: some observer sees a path that only this fault explains. */
  readonly faults: readonly Fault[];
  readonly conditions: Conditions;
  readonly view: View;
}

/**
 * Makes the scenario of a seed. The same seed always gives the same scenario. Every eighth seed has
 * no fault.
 */
export function scenario(seed: number): Scenario {
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const layout = randomLayout(random);
  const wanted = seed % 8 === 0 ? 0 : Math.min(1 + random.below(3), faultsThatFit(layout));
  const faults = randomFaults(layout, wanted, random, seed);
  const conditions = randomConditions(layout, faults, random);
  const seen = observeNetwork(conditions, random, now);
  const input = { ...seen, previous: undefined };
  const output = diagnose(input);
  const fresh = seen.rows.filter(({ freshness }) => freshness === 'fresh');
  const observers = new Set(fresh.map(({ row }) => row.observer));
  const view: View = {
    localName: input.localName,
    hasRow: (name) => name !== undefined && observers.has(name),
  };
  return {
    seed,
    input,
    output,
    conditions,
    view,
    faults: faults.filter(isSeen(seen.rows, conditions, faults)),
  };
}

/**
 * In a small cluster, several faults at once look like another fault. If one node and two nodes are
 * apart, nobody knows which side is cut off.
 */
function faultsThatFit({ names }: Layout): number {
  return names.length < 6 ? 1 : names.length < 12 ? 2 : 3;
}

function randomLayout(random: Random): Layout {
  const nodes = Math.round(3 * (400 / 3) ** random.next());
  const zones = 1 + random.below(Math.min(6, nodes));
  const names = Array.from({ length: nodes }, (_, node) => `c/n${node + 1}`);
  // The zones have different sizes, and none is empty.
  const weights = Array.from({ length: zones }, () => 0.3 + random.next());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const zoneOf = names.map((_, node) => {
    if (node < zones) return node;
    let left = random.next() * total;
    return Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) <= 0),
    );
  });
  return { names, zoneOf, zones: weights.map((_, zone) => `zone-${'abcdef'[zone] ?? ''}`) };
}

function randomFaults(layout: Layout, wanted: number, random: Random, seed: number): Fault[] {
  const faults: Fault[] = [];
  const taken = new Set<number>();
  for (let tries = 0; faults.length < wanted && tries < 40; tries++) {
    // The first fault of consecutive seeds goes through all kinds in turn.
    const maker = tries === 0 ? faultMakers[seed % faultMakers.length] : random.pick(faultMakers);
    const fault = maker?.(layout, random, (node) => !taken.has(node));
    if (!fault || fault.nodes.some((node) => taken.has(node))) continue;
    // A large fault comes alone or first. All later faults affect at most half of the nodes.
    const isLarge = fault.nodes.length === 0 || fault.nodes.length > layout.names.length / 2;
    if (faults.length > 0 && isLarge) continue;
    faults.push(fault);
    for (const node of fault.nodes) taken.add(node);
  }
  return faults;
}

function randomConditions(layout: Layout, faults: readonly Fault[], random: Random): Conditions {
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
  return {
    names,
    local,
    zones: names.map((_, node) => (zones.length > 1 ? zones[zoneOf[node] ?? 0] : undefined)),
    troubles: faults.map((fault) => ({ trouble: fault.trouble, ageS: randomAgeS(fault, random) })),
    wrongShare: random.below(2) === 0 ? 0 : random.next() * 0.01,
    strayLoss: random.below(2) === 0 ? 0 : 10 ** (-6 + 2.7 * random.next()),
    straySlow: random.below(2) === 0 ? 0 : random.next() * 0.01,
    isSilent: (node) => missing[node] === 1,
    isStale: (node) => missing[node] === 2,
    starved: new Set(),
    lies: new Map(),
  };
}

/**
 * A random age of up to half an hour. It starts at the time that agents need to see the fault,
 * which is longest for losses.
 */
function randomAgeS({ trouble }: Fault, random: Random): number {
  const leastS = trouble.loss ? 240 : trouble.isSlow ? 120 : 20;
  return leastS * (1800 / leastS) ** random.next();
}

/**
 * Whether a fresh row shows a path that fails because of this fault only. Otherwise nobody can know
 * about the fault.
 */
function isSeen(
  rows: readonly ObservedRow[],
  { names, troubles }: Conditions,
  faults: readonly Fault[],
) {
  const fresh = rows.filter(({ freshness }) => freshness === 'fresh');
  const numberOf = new Map(names.map((name, number) => [name, number]));
  return (fault: Fault): boolean => {
    const others = faults.filter((other) => other !== fault).map(({ trouble }) => trouble);
    const ageS = troubles[faults.indexOf(fault)]?.ageS ?? 0;
    return fresh.some(({ row, ageMs }) =>
      row.paths.some(({ node, plane, protocol, state, ageSeconds }) => {
        const [from, to] = [numberOf.get(row.observer) ?? -1, numberOf.get(node) ?? -1];
        if (!fault.trouble.touches(from, to) || ageSeconds + ageMs / 1000 > ageS + 1) return false;
        if (state === 'unreachable') {
          return (
            probe([fault.trouble], from, to, plane, protocol) !== undefined &&
            probe(others, from, to, plane, protocol) === undefined
          );
        }
        if (state === 'lossy') return lossOf([fault.trouble], from, to, plane) > 0;
        return state === 'slow' && isSlow([fault.trouble], from, to, plane);
      }),
    );
  };
}
