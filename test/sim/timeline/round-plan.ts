import { targetPhaseMs } from '../../../agent/targets/target-plan.js';
import { Random } from '../../fuzz/random.js';
import type { Fault, Layout } from '../../faults/fault.js';
import { brokenKinds } from '../../faults/kinds.js';
import { labelKinds } from '../../faults/label-kinds.js';
import {
  pathKindsBesideTargets,
  targetHosts,
  withTargetFaults,
} from '../diagnosis/scenarios/target-faults.js';
import { randomFaults } from '../diagnosis/scenarios/random-faults.js';
import {
  faultsOfCut,
  faultsOfGroup,
  singleGroups,
  type GroupFaults,
} from '../diagnosis/scenarios/group-faults.js';
import { randomLabels, type Labelling } from '../../faults/random-labels.js';
import { layoutOf } from '../diagnosis/scenarios/random-layout.js';
import { targetBudget } from '../lib/default-cadence.js';
import { simTargets } from '../lib/target-network.js';

/** A fault, and when it begins and ends. Times are milliseconds from the start. */
export interface PlannedFault {
  readonly fault: Fault;
  readonly beginMs: number;
  readonly endMs: number;
}

/** An agent that stops and is started again. */
interface PlannedRestart {
  readonly node: number;
  readonly atMs: number;
  readonly awayMs: number;
}

/** What happens in a cluster, and which agents are watched. */
export interface RoundPlan {
  readonly seed: number;
  readonly layout: Layout;
  /** The labels that group the nodes beside their zones; undefined: they have none. */
  readonly labels?: Labelling | undefined;
  readonly faults: readonly PlannedFault[];
  readonly restarts: readonly PlannedRestart[];
  /** The hosts at which each target is; undefined: there are no targets. */
  readonly targetHosts: ReadonlyMap<string, readonly number[]> | undefined;
  /** The nodes whose agents make findings. */
  readonly watched: readonly number[];
  readonly endMs: number;
}

/** An agent starts this long after its node. */
export const bootMs = 2000;

/** When a fault is over: its agents run again too. */
export function overMs({ fault: { trouble, nodes }, endMs }: PlannedFault): number {
  return nodes.some((node) => trouble.isOff?.(node)) ? endMs + bootMs : endMs;
}

export const groupsIn = ['fault', 'cut', 'innocent'] as const;
type GroupsIn = (typeof groupsIn)[number];

/** The faults of groups of which paths fail within seconds. */
const groupKinds = labelKinds.filter((kind) => brokenKinds.includes(kind));
const besideGroups = brokenKinds.filter(({ on }) => on === 'node' || on === 'pair');

/** How rounds are planned. */
export interface RoundOptions {
  /** How many nodes there are; left out, the seed decides. */
  readonly nodes?: number;
  /** Agents probe targets, and some of the faults are of these. */
  readonly hasTargets?: boolean;
  /**
   * Nodes have labels that cut across zones: all nodes of a group have a fault, those with two values of one label cannot
   * reach each other, or the groups have nothing to do with the faults.
   */
  readonly groups?: GroupsIn | undefined;
  /** How many zones there are at least, of up to four. */
  readonly leastZones?: number;
  /** Makes the faults; left out, one to three are chosen at random. */
  readonly makeFaults?: (layout: Layout, random: Random) => readonly Fault[];
  /** Faults begin and end one after another: when each does after the first, in milliseconds. Left out, they last together. */
  readonly times?: (at: number, of: number) => { readonly beginMs: number; readonly endMs: number };
  /** For how long at least all faults last together, in milliseconds; left out, for 20 s. */
  readonly togetherMs?: number;
}

/** Until then, all agents have probed everything and have all rows. */
const warmUpMs = 8000;
/** After the first look at a target its state is sure, and the row with it is everywhere. */
const lookArrivesMs = 4000;
/** In this time after the first fault, further ones begin. */
const beginWithinMs = 6000;
/** For this long at least, all faults last together, if nothing else is asked for. */
const usuallyTogetherMs = 20_000;
const endWithinMs = 10_000;
/** After the last repair. */
const afterMs = 15_000;
const mostWatched = 16;

/**
 * Plans the round of a seed: one to three faults, and in three of ten rounds a restart. With targets at least
 * one of the faults is of a target.
 */
export function planRound(seed: number, options: RoundOptions = {}): RoundPlan {
  const { nodes, hasTargets = false, groups, leastZones = 1, makeFaults } = options;
  const { togetherMs = usuallyTogetherMs, times } = options;
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const layout = randomLayout(
    random,
    nodes,
    groups === 'fault' || groups === 'cut' ? 12 : 6,
    leastZones,
  );
  const size = layout.names.length;
  const mostFaults = size < 8 ? 1 : size < 12 ? 2 : 3;
  const wanted = 1 + random.below(mostFaults);
  const paths = hasTargets
    ? randomFaults(layout, random.below(wanted), random, seed, [], pathKindsBesideTargets)
    : randomFaults(layout, wanted, random, seed, [], brokenKinds);
  const chosen = hasTargets ? withTargetFaults(layout, paths, wanted, random, seed) : paths;
  const labels = groups && randomLabels(layout, new Random(seed));
  const ofGroup = labels && groupFaults({ layout, random, seed, labels, groups });
  const made = ofGroup ?? makeFaults?.(layout, random) ?? chosen;
  const load = { nodes: size, budgetPerSecond: targetBudget };
  const looks = hasTargets
    ? simTargets.map((target) => targetPhaseMs(target, load) + lookArrivesMs)
    : [];
  const firstMs = Math.max(warmUpMs, ...looks) + 5000 * random.next();
  const begins = made.map((_, at) =>
    at === 0 || random.below(2) === 0 ? firstMs : firstMs + beginWithinMs * random.next(),
  );
  const lastMs = Math.max(...begins);
  const ends = made.map(() => lastMs + togetherMs + endWithinMs * random.next());
  const faults = made.map((fault) => {
    // What shares one trouble begins and ends with it.
    const at = made.findIndex(({ trouble }) => trouble === fault.trouble);
    const own = times?.(at, made.length);
    if (own) return { fault, beginMs: firstMs + own.beginMs, endMs: firstMs + own.endMs };
    return { fault, beginMs: begins[at] ?? firstMs, endMs: ends[at] ?? lastMs };
  });
  const lastEndMs = Math.max(...faults.map(({ endMs }) => endMs));
  const touched = new Set(made.flatMap((fault) => fault.nodes));
  const node = random.below(size);
  const restart = {
    node,
    atMs: firstMs - 3000 + (lastEndMs + 10_000 - firstMs) * random.next(),
    awayMs: 500 + 2500 * random.next(),
  };
  return {
    seed,
    layout,
    labels,
    faults,
    restarts: random.next() < 0.3 && !touched.has(node) ? [restart] : [],
    watched: watchedNodes(size, made, random),
    targetHosts: hasTargets ? targetHosts(layout, paths, random) : undefined,
    endMs: lastEndMs + afterMs,
  };
}

/** The faults of groups, with another one beside them or not; undefined where the groups have nothing to do with the faults. */
function groupFaults({
  layout,
  random,
  seed,
  labels,
  groups,
}: Pick<GroupFaults, 'layout' | 'random' | 'seed'> & {
  readonly labels: Labelling;
  readonly groups: GroupsIn | undefined;
}): readonly Fault[] | undefined {
  const common = { layout, random, seed, besides: besideGroups };
  if (groups === 'cut') return faultsOfCut({ ...common, labels });
  if (groups !== 'fault') return undefined;
  return faultsOfGroup({ ...common, groups: singleGroups(labels), kinds: groupKinds });
}

function randomLayout(
  random: Random,
  wanted: number | undefined,
  leastNodes: number,
  leastZones: number,
): Layout {
  const nodes = wanted ?? Math.round(leastNodes * (60 / leastNodes) ** random.next());
  const zones = Math.max(1 + random.below(Math.min(4, Math.floor(nodes / 2))), leastZones);
  return layoutOf(nodes, zones, (node) => (node < 2 * zones ? node % zones : random.below(zones)));
}

/** All nodes of a small cluster; else a node of each fault, and random others. */
function watchedNodes(size: number, faults: readonly Fault[], random: Random): readonly number[] {
  const order = Array.from({ length: size }, (_, node) => ({ node, at: random.next() }));
  order.sort((a, b) => a.at - b.at);
  const first = faults.flatMap(({ nodes }) => nodes.slice(0, 2));
  const chosen = new Set([...first, ...order.map(({ node }) => node)]);
  return [...chosen].slice(0, mostWatched).sort((a, b) => a - b);
}
