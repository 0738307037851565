import { Random } from '../../../fuzz/random.js';
import type { Fault, Layout } from '../../../faults/fault.js';
import { clusterKinds, degradedClusterKinds } from '../../../faults/group-kinds.js';
import { flowKinds } from '../../../faults/flow-kinds.js';
import { lossKinds } from '../../../faults/kinds.js';
import { largeKinds } from '../../../faults/large-kinds.js';
import { nodeKinds } from '../../../faults/node-kinds.js';
import { labelKinds } from '../../../faults/label-kinds.js';
import { isTargetFault } from '../../../faults/target-kinds.js';
import type { Conditions, ListDifference } from './conditions.js';
import { randomConditions } from './random-conditions.js';
import { faultsOfCut, faultsOfGroup, singleGroups } from './group-faults.js';
import { overlappingFaults, randomFaultCount, randomFaults } from './random-faults.js';
import {
  pairedNodes,
  randomLabels,
  type LabelledNodes,
  type Labelling,
} from '../../../faults/random-labels.js';
import { layoutOf, randomLayout } from './random-layout.js';
import { pathKindsBesideTargets, targetHosts, withTargetFaults } from './target-faults.js';

/** A cluster, the faults in it, and how it is observed. */
export interface Plan {
  readonly layout: Layout;
  readonly faults: readonly Fault[];
  readonly conditions: Conditions;
}

type Maker = (random: Random, seed: number) => Plan;

/** Faults that share no node. The figures of all versions come from these. */
const base: Maker = (random, seed) => {
  const layout = randomLayout(random);
  const wanted = randomFaultCount(layout, random, seed);
  const faults = randomFaults(layout, wanted, random, seed);
  return { layout, faults, conditions: randomConditions(layout, faults, random) };
};

/** All nodes of a group have the same fault, half the time beside another one. */
function faultOfGroup(
  random: Random,
  seed: number,
  groupsOf: (labels: Labelling) => readonly LabelledNodes[],
): Plan {
  const nodes = Math.round(9 * (400 / 9) ** random.next());
  const zones = 1 + random.below(4);
  const layout = layoutOf(nodes, zones, () => random.below(zones));
  const labels = randomLabels(layout, random);
  const groups = groupsOf(labels);
  const faults = faultsOfGroup({ layout, random, seed, groups, kinds: labelKinds });
  return { layout, faults, conditions: { ...randomConditions(layout, faults, random), labels } };
}

/** Ways to make the scenario of a seed. Each is a family of scenarios with figures of its own. */
export const variants = {
  base,

  /** The same clusters and faults as those of `base`, with labels that have nothing to do with the faults. */
  labels(random, seed) {
    const plan = base(random, seed);
    const labels = randomLabels(plan.layout, new Random(seed));
    return { ...plan, conditions: { ...plan.conditions, labels } };
  },

  /** All nodes with one value of a label have the same fault, half the time beside another one. */
  groups: (random, seed) => faultOfGroup(random, seed, singleGroups),

  /** All nodes with two values of two labels have the same fault, and not all with one of them. */
  'value-pairs': (random, seed) =>
    faultOfGroup(random, seed, (labels) =>
      pairedNodes(labels).filter((group) => group.nodes.length >= 4),
    ),

  /** The nodes with two values of one label cannot reach each other, both ways or one way, or not at endpoints. */
  'group-cuts': (random, seed) => {
    const nodes = Math.round(12 * (300 / 12) ** random.next());
    const zones = 1 + random.below(4);
    const layout = layoutOf(nodes, zones, () => random.below(zones));
    const labels = randomLabels(layout, random);
    const faults = faultsOfCut({ layout, random, seed, labels });
    return { layout, faults, conditions: { ...randomConditions(layout, faults, random), labels } };
  },

  /** Two or three faults that share a node. */
  overlap(random, seed) {
    const layout = randomLayout(random);
    const wanted = layout.names.length < 12 ? 2 : 2 + random.below(2);
    const faults = overlappingFaults(layout, wanted, random, seed);
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /** ICMP is dropped everywhere, as in many clouds, beside other faults. */
  'no-icmp': (random, seed) => {
    const layout = randomLayout(random);
    const everywhere = clusterKinds.icmp.make(layout, { type: 'cluster' }, 0);
    const wanted = Math.min(1 + random.below(2), randomFaultCount(layout, random, seed));
    const faults = randomFaults(layout, wanted, random, seed, [everywhere]);
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /** All paths, or all of the overlay, lose packets or are slow; half the time beside a fault. */
  degraded(random, seed) {
    const layout = seed % 10 === 0 ? layoutOf(2, 1, () => 0) : randomLayout(random);
    const kind = random.pick(degradedClusterKinds);
    const share = 0.005 * 10 ** random.next();
    const everywhere = kind.make(layout, { type: 'cluster' }, share);
    const wanted = layout.names.length < 3 ? 0 : random.below(2);
    const faults = randomFaults(layout, wanted, random, seed, [everywhere]);
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /** Some observers have an older node list: it lacks some nodes and still has others. */
  lists(random, seed) {
    const plan = base(random, seed);
    const { layout, faults, conditions } = plan;
    const lacking = new Set<number>();
    const someNode = faults.find(({ nodes }) => nodes.length === 1)?.nodes[0];
    if (someNode !== undefined && random.below(2) === 0) lacking.add(someNode);
    const more = 1 + random.below(3);
    for (let each = 0; each < more; each++) lacking.add(random.below(layout.names.length));
    lacking.delete(conditions.local);
    const gone = Array.from({ length: random.below(3) }, (_, at) => `c/gone${at + 1}`);
    const olderShare = 0.05 + 0.9 * random.next();
    const older = layout.names.map(() => random.next() < olderShare);
    const difference: ListDifference = { lacks: lacking, gone };
    const listOf = (observer: number) =>
      observer !== conditions.local && !lacking.has(observer) && older[observer] === true
        ? difference
        : undefined;
    return { ...plan, conditions: { ...conditions, listOf } };
  },

  /** Every zone has one node, or all but a few do. */
  'small-zones': (random, seed) => {
    const nodes = 3 + random.below(24);
    const zones = random.below(2) === 0 ? nodes : Math.max(2, nodes - 1 - random.below(4));
    const layout = layoutOf(nodes, zones, (node) => (node < zones ? node : random.below(zones)));
    const faults = randomFaults(layout, randomFaultCount(layout, random, seed), random, seed);
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /** One node in ten has an agent. The port of the others is closed, and they have no endpoint. */
  'few-agents': (random) => {
    const layout = randomLayout(random);
    const { names } = layout;
    const mostAgents = Math.max(1, Math.round(names.length / 10));
    const agents = new Set<number>();
    while (agents.size < mostAgents) agents.add(random.below(names.length));
    const without = names.flatMap((_, node) => (agents.has(node) ? [] : [node]));
    const usual = randomConditions(layout, [], random);
    const trouble = {
      touches: (a: number, b: number) => !agents.has(a) || !agents.has(b),
      nodes: without,
      server: (node: number, plane: string) =>
        plane === 'host' && !agents.has(node) ? ('closed' as const) : ('answers' as const),
    };
    const faults = without.map((node) => ({
      ...nodeKinds.agentGone.make(layout, { type: 'node', node }, 0),
      trouble,
      isExpected: false,
    }));
    const [local = 0] = agents;
    const conditions: Conditions = {
      ...usual,
      local,
      troubles: [{ trouble, ageS: 86_400 }],
      isSilent: (node) => !agents.has(node) || usual.isSilent(node),
      hasEndpoint: (node) => agents.has(node),
    };
    return { layout, faults, conditions };
  },

  /** A third of a large cluster is dead at once. */
  mass(random) {
    const nodes = Math.round(60 * (1000 / 60) ** random.next());
    const zones = 1 + random.below(6);
    const layout = layoutOf(nodes, zones, () => random.below(zones));
    const dead = new Set<number>();
    while (dead.size < 0.3 * nodes) dead.add(random.below(nodes));
    const trouble = {
      touches: (a: number, b: number) => dead.has(a) || dead.has(b),
      nodes: [...dead],
      isOff: (node: number) => dead.has(node),
    };
    const faults = [...dead].map((node) => ({
      ...nodeKinds.off.make(layout, { type: 'node', node }, 0),
      trouble,
      isExpected: true,
    }));
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /** Targets fail, everywhere, in a zone or at a node, half the time beside faults of paths. */
  targets(random, seed) {
    const layout = randomLayout(random);
    const wanted = randomFaultCount(layout, random, seed);
    const aboutPaths = wanted === 0 ? 0 : random.below(wanted + 1);
    const paths = randomFaults(layout, aboutPaths, random, seed, [], pathKindsBesideTargets);
    const faults = withTargetFaults(layout, paths, wanted, random, seed);
    const troubles = faults.filter(isTargetFault).map(({ targetTrouble }) => targetTrouble);
    const conditions = randomConditions(layout, paths, random);
    const hosts = targetHosts(layout, paths, random);
    const targets = {
      troubles,
      intervalS: 5 * 12 ** (random.below(2) * random.next()),
      wrongShare: random.below(2) === 0 ? 0 : 0.001 * random.next(),
      hosts,
    };
    return { layout, faults, conditions: { ...conditions, targets } };
  },

  /** Large packets are lost, half the time beside a fault that all packets meet. */
  mtu(random, seed) {
    const layout = randomLayout(random);
    const large = randomFaults(layout, 1, random, seed, [], largeKinds);
    const wanted = layout.names.length < 6 ? 0 : random.below(2);
    const faults = randomFaults(layout, wanted, random, random.below(1000), large);
    return { layout, faults, conditions: randomConditions(layout, faults, random) };
  },

  /**
   * One of several equal paths is dead, or packets are lost at random, half the time beside another fault. Agents test
   * the flows of paths that lose probes.
   */
  flows(random, seed) {
    const layout = randomLayout(random);
    const kinds = seed % 4 === 0 ? lossKinds : flowKinds;
    const lossy = randomFaults(layout, 1, random, seed, [], kinds);
    const wanted = layout.names.length < 6 ? 0 : random.below(2);
    const faults = randomFaults(layout, wanted, random, random.below(1000), lossy);
    const conditions = randomConditions(layout, faults, random);
    return { layout, faults, conditions: { ...conditions, hasFlowTests: true } };
  },

  /** Kubernetes calls some nodes NotReady: those that are off, and some that answer. */
  'not-ready': (random, seed) => {
    const plan = base(random, seed);
    const { layout, faults, conditions } = plan;
    const isOff = (node: number) => faults.some(({ trouble }) => trouble.isOff?.(node) === true);
    const known = layout.names.map((_, node) => {
      const isNotReady = isOff(node) ? random.below(2) === 0 : random.below(30) === 0;
      return isNotReady ? `Kubernetes: NotReady for ${1 + random.below(600)} s` : undefined;
    });
    return { ...plan, conditions: { ...conditions, knownOf: (node) => known[node] } };
  },
} satisfies Readonly<Record<string, Maker>>;

export type Variant = keyof typeof variants;

/** All variants, the one of the old figures first. */
export const variantNames = Object.keys(variants) as readonly Variant[];
