import {
  defaultIntervalMs,
  defaultTimeoutMs,
} from '../../../agent/targets/definition/parse-targets.js';
import type { Target } from '../../../agent/model/target.js';
import { planTarget } from '../../../agent/targets/target-plan.js';
import type { TargetPlan } from '../../../agent/targets/views.js';
import { mostInASecond } from '../lib/most-in-a-second.js';
import { TargetCluster, type Answering } from './target-cluster.js';

/** What one part of a run came to. */
interface PhaseFigures {
  readonly name: string;
  readonly mostInASecond: number;
  readonly meanPerSecond: number;
}

export interface TargetFigures {
  readonly nodes: number;
  readonly plan: TargetPlan;
  readonly phases: readonly PhaseFigures[];
  /** After the death; undefined where not so many ever knew. */
  readonly firstMs: number | undefined;
  readonly tenthMs: number | undefined;
  /** When each agent had the rows of three observers that cannot reach it. */
  readonly allMs: number | undefined;
  readonly ninetyPercentMs: number | undefined;
  readonly looks: number;
  /** GETs that an agent sent on average in the half minute after the death. */
  readonly getsPerAgent: number;
}

export interface TargetRun {
  readonly seed: number;
  readonly nodes: number;
  readonly budgetPerSecond: number;
  readonly dies: Exclude<Answering, 'replies'>;
}

const exchangedMs = 30_000;

/** A target from both planes, at the defaults. */
const simTarget: Target = {
  name: 'database',
  probe: { kind: 'tcp', tcp: { host: '198.51.100.9', port: 5432 } },
  from: ['host', 'endpoint'],
  intervalMs: defaultIntervalMs,
  timeoutMs: defaultTimeoutMs,
  digest: 7,
};

/**
 * A life of a target: all agents start at once, it dies, all start at once while it is dead, it comes back.
 * Each part lasts until every agent has looked.
 */
export async function runTargets(run: TargetRun): Promise<TargetFigures> {
  const { seed, nodes, budgetPerSecond, dies } = run;
  const plan = planTarget(simTarget, { nodes, budgetPerSecond });
  const lastsMs = Math.max(plan.intervalMs * 1.2, 60_000);
  const phases: PhaseFigures[] = [];
  const note = (name: string, cluster: TargetCluster, ms: number): void => {
    const { sentMs } = cluster;
    phases.push({
      name,
      mostInASecond: mostInASecond(sentMs),
      meanPerSecond: sentMs.length / (ms / 1000),
    });
  };
  const create = () => new TargetCluster({ seed, nodes, budgetPerSecond, target: simTarget });

  const cluster = create();
  await cluster.start();
  cluster.run(lastsMs);
  note('all start at once', cluster, lastsMs);

  cluster.reset();
  const diedMs = cluster.clock.nowMs();
  cluster.answering = dies;
  cluster.exchangeFor(exchangedMs);
  const getsPerAgent = cluster.gets / nodes;
  const later = [...cluster.convincedMs.values()].map((ms) => ms - diedMs).sort((a, b) => a - b);
  cluster.run(lastsMs);
  note('it dies', cluster, lastsMs + exchangedMs);
  const { looks } = cluster;
  const found = cluster.changes
    .filter(({ state }) => state === 'unreachable')
    .map(({ atMs }) => atMs - diedMs);

  cluster.reset();
  cluster.answering = 'replies';
  cluster.exchangeFor(exchangedMs);
  cluster.run(lastsMs);
  note('it comes back', cluster, lastsMs + exchangedMs);

  const restarted = create();
  restarted.answering = dies;
  await restarted.start();
  restarted.exchangeFor(exchangedMs);
  restarted.run(lastsMs);
  note('all start while it is dead', restarted, lastsMs + exchangedMs);

  return {
    nodes,
    plan,
    phases,
    firstMs: found[0],
    tenthMs: found[Math.min(10, nodes) - 1],
    ninetyPercentMs: later[Math.ceil(nodes * 0.9) - 1],
    allMs: later[nodes - 1],
    looks,
    getsPerAgent,
  };
}
