import { overMs, type RoundPlan } from './round-plan.js';
import { TimelineCluster } from './timeline-cluster.js';
import { AgentWatch, type AgentRecord, type Leniency } from './watch.js';

/** What was done to a cluster. Times are milliseconds from the start. */
interface RoundFault {
  readonly what: string;
  /** The names of some affected nodes. */
  readonly nodes: readonly string[];
  readonly beginMs: number;
  readonly overMs: number;
}

/** What happened in one round, as plain data. */
export interface Round {
  readonly seed: number;
  readonly nodes: number;
  readonly zones: number;
  readonly faults: readonly RoundFault[];
  readonly restarts: readonly { readonly name: string; readonly atMs: number }[];
  readonly agents: readonly AgentRecord[];
}

const checkEveryMs = 200;

/**
 * Runs a round and follows what its agents say, five times a second.
 * @param leniencyOf what the agent of a node cannot know yet; left out, what those of small clusters cannot
 */
export async function runRound(
  plan: RoundPlan,
  leniencyOf: (node: number) => Leniency | undefined = () => undefined,
): Promise<Round> {
  const { watched, endMs } = plan;
  const cluster = new TimelineCluster(plan);
  const watches = watched.map((node) => new AgentWatch(plan, cluster, node, leniencyOf(node)));
  await laterTurn();
  for (let atMs = checkEveryMs; atMs <= endMs; atMs += checkEveryMs) {
    cluster.clock.runUntil(atMs);
    for (const watch of watches) watch.look();
    await laterTurn();
  }
  cluster.stop();
  return roundOf(
    plan,
    watches.map(({ record }) => record),
  );
}

/** What happened in a round, and what its agents said, as plain data. */
export function roundOf(
  { seed, layout, faults, restarts }: RoundPlan,
  agents: readonly AgentRecord[],
): Round {
  const nameOf = (node: number) => layout.names[node] ?? '';
  return {
    seed,
    nodes: layout.names.length,
    zones: layout.zones.length,
    faults: faults.map((planned) => ({
      what: planned.fault.what,
      nodes: planned.fault.nodes.slice(0, 2).map(nameOf),
      beginMs: planned.beginMs,
      overMs: overMs(planned),
    })),
    restarts: restarts.map(({ node, atMs }) => ({ name: nameOf(node), atMs })),
    agents,
  };
}

/** What waits for a promise, as the probers of targets do, goes on in a later turn. */
function laterTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
