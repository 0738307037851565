import { freshForMs } from '../../../agent/model/row.js';
import { Random } from '../../fuzz/random.js';
import { overMs, planRound, type RoundOptions, type RoundPlan } from '../timeline/round-plan.js';
import {
  changingFaults,
  changingNodes,
  largeFaults,
  lossyEverywhere,
  lossyFaults,
  manyLossy,
  mixedFaults,
  oneAfterAnother,
} from './fault-families.js';
import { ProbeTimes } from './probe-times.js';

/** All faults last together for this and one interval of GETs, but no longer than a minute and a half. */
const [usuallyTogetherMs, mostTogetherMs] = [15_000, 90_000];

/** And then nothing more is said. */
const quietMs = 5000;

/** What the rounds of a size are. */
export interface SizeOptions {
  readonly nodes: number;
  /**
   * Twenty nodes die, or two zones are cut; or packets are lost at random, somewhere or on all paths; or one node after another
   * gets the same fault; or two nodes have one fault after another; or different faults come one after another; or all agents are
   * restarted beside the faults. Left out, one to three faults are made because of which paths fail.
   */
  readonly family?: Family | undefined;
  readonly groups?: RoundOptions['groups'];
  /** For how long at least all faults last together, beside one interval of GETs; left out, for 15 s. */
  readonly togetherMs?: number;
}

export const families = [
  'changing',
  'large',
  'lossy',
  'lossy-everywhere',
  'lossy-many',
  'mixed',
  'rolling',
  'rolling-update',
  'spreading',
] as const;
type Family = (typeof families)[number];

/** Of faults one after another, where each node is well again soon: how long each lasts, and from one to the next. */
const [rollingMs, nextMs] = [20_000, 11_000];
/** Where they add up: from one to the next, and from one repair to the next. */
const [soonMs, repairMs] = [3000, 1500];

/** Until an agent has lost enough of its echoes on most paths, in their intervals. */
const [lossesMs, lossesIntervals, mostLossesMs] = [60_000, 22, 300_000];

/** From one fault of a node to its next, and to that of the other node. */
const [changeMs, besideMs] = [25_000, 9000];
/** From one fault to the next elsewhere, and how long each lasts. */
const [mixMs, mixedMs] = [7000, 25_000];

/** Of a rolling update of all agents, of which 5 % are away at a time: how long it takes, and for how long each is away, less or more by a third. */
const [updateMs, awayMs] = [80_000, 4000];

/** Plans a round at a size: the faults last as long as agents of that size take to see them. */
export function planSizeRound(seed: number, options: SizeOptions): RoundPlan {
  const { nodes, family, groups, togetherMs: leastMs = usuallyTogetherMs } = options;
  const probes = new ProbeTimes(nodes, seed);
  const togetherMs = Math.min(leastMs + probes.httpIntervalMs, mostTogetherMs);
  const [icmpMs = 0] = probes.intervalMs;
  const lossyMs = Math.min(lossesMs + lossesIntervals * icmpMs, mostLossesMs);
  const more: Readonly<Record<Family, RoundOptions>> = {
    large: {
      togetherMs,
      leastZones: 3,
      makeFaults: (layout, random) => largeFaults(seed, layout, random),
    },
    lossy: {
      togetherMs: lossyMs,
      makeFaults: (layout, random) => lossyFaults(seed, layout, random),
    },
    'lossy-everywhere': {
      togetherMs: lossyMs,
      makeFaults: (layout, random) => lossyEverywhere(seed, layout, random),
    },
    'lossy-many': {
      togetherMs: lossyMs,
      makeFaults: (layout, random) => manyLossy(seed, layout, random),
    },
    changing: {
      makeFaults: (layout, random) => changingFaults(layout, random),
      times: (at) => {
        const beginMs = Math.floor(at / changingNodes) * changeMs + (at % changingNodes) * besideMs;
        return { beginMs, endMs: beginMs + changeMs };
      },
    },
    mixed: {
      makeFaults: (layout, random) => mixedFaults(seed, layout, random),
      times: (at) => ({ beginMs: at * mixMs, endMs: at * mixMs + mixedMs }),
    },
    rolling: {
      makeFaults: (layout, random) => oneAfterAnother(layout, random),
      times: (at) => ({ beginMs: at * nextMs, endMs: at * nextMs + rollingMs }),
    },
    'rolling-update': { togetherMs: Math.max(togetherMs, updateMs) },
    spreading: {
      makeFaults: (layout, random) => oneAfterAnother(layout, random),
      times: (at, of) => ({
        beginMs: at * soonMs,
        endMs: of * soonMs + togetherMs + at * repairMs,
      }),
    },
  };
  const plan = planRound(seed, { nodes, togetherMs, groups, ...(family && more[family]) });
  // As long as rows of before may come.
  const lastMs = Math.max(...plan.faults.map(overMs));
  const endMs = lastMs + freshForMs(probes) + quietMs;
  const planned = { ...plan, endMs };
  if (family === 'rolling-update') return { ...planned, restarts: restartsOfAll(plan) };
  return { ...planned, restarts: seed % 2 === 0 ? plan.restarts : restartsOfWatched(plan) };
}

/** One restart after another from the first fault on, of all agents that no fault affects. */
function restartsOfAll({ seed, layout, faults }: RoundPlan): RoundPlan['restarts'] {
  const random = new Random(seed);
  const touched = new Set(faults.flatMap(({ fault }) => fault.nodes));
  const nodes = [...layout.names.keys()].filter((node) => !touched.has(node));
  const order = nodes.map((node) => ({ node, at: random.next() })).sort((a, b) => a.at - b.at);
  const firstMs = Math.min(...faults.map(({ beginMs }) => beginMs));
  return order.map(({ node }, at) => ({
    node,
    atMs: firstMs + (updateMs * at) / order.length,
    awayMs: (awayMs * (2 + 2 * random.next())) / 3,
  }));
}

/** The same restarts, of an agent that makes findings and that no fault affects. */
function restartsOfWatched({ restarts, watched, faults }: RoundPlan): RoundPlan['restarts'] {
  const touched = new Set(faults.flatMap(({ fault }) => fault.nodes));
  const node = watched.find((one) => !touched.has(one));
  return node === undefined ? restarts : restarts.map((restart) => ({ ...restart, node }));
}
