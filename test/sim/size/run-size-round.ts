import { indexCluster } from '../../../agent/diagnosis/nouns/cluster-index.js';
import { freshForMs } from '../../../agent/model/row.js';
import { makeNode } from '../../rows/make-input.js';
import { canKnow } from '../timeline/agent-sight.js';
import { overMs, type PlannedFault, type RoundPlan } from '../timeline/round-plan.js';
import { roundOf, runRound, type Round } from '../timeline/run-round.js';
import { AgentWatch, type AgentRecord, type Leniency } from '../timeline/watch.js';
import type { WatchedAgent, WatchedCluster } from '../timeline/watched-cluster.js';
import { GeneratedRows } from './generated-rows.js';
import { ProbeTimes } from './probe-times.js';
import { SizeWorld } from './size-world.js';
import { SizeView } from './size-view.js';

/** What one round gave, and how often findings were made in it. */
export interface SizeRound extends Round {
  /** For each agent that made findings and each fault that it named: how it came to that. Empty where it was not asked for. */
  readonly stages: readonly Stages[];
  readonly runs: number;
  /** The agents that made them, by the number of their node. */
  readonly views: readonly number[];
  /** For each of them and each fault: until when it may be named. */
  readonly mayNameUntilMs: readonly (readonly number[])[];
}

/** How an agent came to name a fault, in milliseconds since it began, and to name it no more, since it was over. */
export interface Stages {
  readonly what: string;
  readonly agent: string;
  readonly begin: BeginStages;
  readonly end: EndStages;
}

export interface BeginStages {
  /** Any agent has a verdict that a path fails. */
  readonly verdictMs: number;
  /** This agent has a row that tells of one. */
  readonly rowMs: number;
  /** It thinks of the cause that it names. */
  readonly suspectedMs: number;
  readonly namedMs: number;
}

export interface EndStages {
  /** Any agent has a verdict that a path works again. */
  readonly verdictMs: number;
  /** This agent has a row that tells of one. */
  readonly rowMs: number;
  /** Nothing that it says names the fault any more. */
  readonly closedMs: number;
}

const stepMs = 100;
/** Findings are made some time before the first fault, so that it meets an agent that has a past. */
const beforeMs = 2500;
/** A finding may name a fault for so long after its agent could know that it is over. */
const closingMs = 3000;
/** A path is lossy because of what it lost in the last ten minutes. */
const lossWindowMs = 600_000;
/** A purpose of random numbers: which agents make findings. */
const viewPurpose = 72;
/** After this time without anything to say there is nothing left to judge. */
const quietMs = 5000;

/**
 * Runs a round: rows of all agents are generated, and some agents make findings of them.
 * @param hasStages whether to ask all agents when they saw each fault, which takes longer than the round where most saw it
 */
export async function runSizeRound(
  plan: RoundPlan,
  mostViews: number,
  hasStages = false,
): Promise<SizeRound> {
  const world = new SizeWorld(plan);
  const rows = new GeneratedRows(world);
  const cluster = new SizeCluster(world);
  const index = indexOf(plan);
  const nodes = viewsOf(world, cluster, mostViews);
  const longestMs = freshForMs(world.probes);
  const mayNameUntilMs = (node: number, planned: PlannedFault): number => {
    if (planned.fault.trouble.loss) return overMs(planned) + lossWindowMs + longestMs;
    return closingMs + (endSeenMs(cluster.viewOf(node), planned) ?? overMs(planned) + longestMs);
  };
  const judged = nodes.map((node) => {
    cluster.setView(new SizeView({ world, rows, index, node }));
    const leniency = sizeLeniency(world.probes, (planned) => mayNameUntilMs(node, planned));
    return { node, watch: new AgentWatch(plan, cluster, node, leniency) };
  });
  const firstMs = Math.min(...plan.faults.map(({ beginMs }) => beginMs));
  const lastMs = Math.max(...plan.faults.map(overMs));
  let wellSinceMs = Infinity;
  let runs = 0;
  for (let nowMs = stepMs; nowMs <= plan.endMs; nowMs += stepMs) {
    cluster.now = nowMs;
    for (const { node, watch } of judged) {
      const view = cluster.viewAt(
        node,
        nowMs,
        (startedMs) => new SizeView({ world, rows, index, node, startedMs }),
      );
      const before = view?.runs ?? 0;
      view?.advance(nowMs, { makesFindings: nowMs >= firstMs - beforeMs });
      runs += (view?.runs ?? 0) - before;
      watch.look();
    }
    await laterTurn();
    const isWell =
      nowMs > lastMs && judged.every(({ node }) => cluster.viewOf(node)?.isWell ?? true);
    wellSinceMs = isWell ? Math.min(wellSinceMs, nowMs) : Infinity;
    if (nowMs - wellSinceMs >= quietMs) break;
  }
  const records = judged.map(({ watch }) => watch.record);
  return {
    ...roundOf(plan, records),
    runs,
    views: nodes,
    stages: hasStages
      ? stagesOf(
          plan,
          rows,
          cluster,
          judged.map(({ node, watch }) => ({ node, record: watch.record })),
        )
      : [],
    mayNameUntilMs: nodes.map((node) => plan.faults.map((one) => mayNameUntilMs(node, one))),
  };
}

function stagesOf(
  { faults }: RoundPlan,
  rows: GeneratedRows,
  cluster: SizeCluster,
  judged: readonly { readonly node: number; readonly record: AgentRecord }[],
): Stages[] {
  return faults.flatMap((planned, at) => {
    const { fault, beginMs } = planned;
    const endMs = overMs(planned);
    const named = judged.filter(({ record }) => (record.namedAfterMs[at] ?? Infinity) < Infinity);
    if (named.length === 0) return [];
    const beginVerdictMs = rows.firstVerdictMs(beginMs) - beginMs;
    const endVerdictMs = rows.firstVerdictMs(endMs, 'reachable') - endMs;
    return named.map(
      ({ node, record: { name, namedAfterMs, namedBy, unnamedAfterMs } }): Stages => {
        const view = cluster.viewOf(node);
        return {
          what: fault.what,
          agent: name,
          begin: {
            verdictMs: beginVerdictMs,
            rowMs: (view?.beginsSeenMs.get(beginMs) ?? Infinity) - beginMs,
            suspectedMs: (view?.suspectedMs.get(namedBy[at] ?? '') ?? Infinity) - beginMs,
            namedMs: namedAfterMs[at] ?? Infinity,
          },
          end: {
            verdictMs: endVerdictMs,
            rowMs: (endSeenMs(view, planned) ?? Infinity) - endMs,
            closedMs: unnamedAfterMs[at] ?? Infinity,
          },
        };
      },
    );
  });
}

/** The same round with whole agents, judged in the same way. */
export function runWholeRound(
  plan: RoundPlan,
  { views, mayNameUntilMs }: SizeRound,
): Promise<Round> {
  const probes = new ProbeTimes(plan.layout.names.length, plan.seed);
  return runRound({ ...plan, watched: views }, (node) =>
    sizeLeniency(probes, (planned) => {
      const times = mayNameUntilMs[views.indexOf(node)] ?? [];
      return times[plan.faults.indexOf(planned)] ?? Infinity;
    }),
  );
}

/** What an agent of a cluster of that size cannot know yet. */
function sizeLeniency(probes: ProbeTimes, mayNameUntilMs: Leniency['mayNameUntilMs']): Leniency {
  return {
    mayNameUntilMs,
    newForMs: Math.max(12_000, probes.sweptMs(0) + 5000),
    backForMs: Math.max(8000, freshForMs(probes)),
  };
}

/** A cluster of which some agents make findings and the others only send rows. */
class SizeCluster implements WatchedCluster {
  now = 0;
  readonly agents: (WatchedAgent | undefined)[];
  readonly standsForAll: readonly number[];
  readonly #world: SizeWorld;
  readonly #views = new Map<number, SizeView>();

  constructor(world: SizeWorld) {
    this.#world = world;
    this.agents = Array.from({ length: world.nodes }, () => other);
    this.standsForAll = world.changes.classes.members.flatMap((members) => members.slice(0, 2));
  }

  nowMs = (): number => {
    return this.now;
  };

  setView(view: SizeView): void {
    this.#views.set(view.node, view);
    this.agents[view.node] = view;
  }

  viewOf(node: number): SizeView | undefined {
    return this.#views.get(node);
  }

  /** The process that runs on a node now, a new one where it was started again. */
  viewAt(
    node: number,
    nowMs: number,
    start: (startedMs: number) => SizeView,
  ): SizeView | undefined {
    this.#noteRunning(nowMs);
    const process = this.#world.processes.at(node, nowMs);
    if (!process) return undefined;
    const known = this.#views.get(node);
    if (known?.startedMs === process.startMs) {
      this.agents[node] = known;
      return known;
    }
    const view = start(process.startMs);
    this.setView(view);
    return view;
  }

  #noteRunning(nowMs: number): void {
    for (const node of this.#world.processes.changing) {
      const process = this.#world.processes.at(node, nowMs);
      if (!process) this.agents[node] = undefined;
      else this.agents[node] ??= this.#views.get(node) ?? other;
    }
  }
}

/** An agent that makes no findings here. */
const other: WatchedAgent = { startedMs: -Infinity, findings: [] };

/** Agents that can know all the time: some near the faults, and others anywhere, one that is started again first. */
function viewsOf(world: SizeWorld, cluster: SizeCluster, most: number): number[] {
  const { plan } = world;
  const canAlwaysKnow = (node: number) =>
    [0, ...world.changes.atMs].every((atMs) => {
      const lasting = plan.faults.filter((one) => one.beginMs <= atMs && atMs < overMs(one));
      return canKnow(cluster, node, lasting);
    });
  const near = plan.watched.filter((node) =>
    plan.faults.some(({ fault }) => fault.nodes.includes(node)),
  );
  const isRestarted = (node: number) => plan.restarts.some((restart) => restart.node === node);
  // Those that are watched elsewhere may all be dead.
  const any = Array.from({ length: 64 }, (_, at) =>
    Math.floor(world.probes.share(at, at, viewPurpose) * world.nodes),
  );
  const others = [...new Set([...plan.watched, ...any])].filter((node) => !near.includes(node));
  const far = [...others.filter(isRestarted), ...others.filter((node) => !isRestarted(node))];
  const fit = (nodes: readonly number[]) => nodes.filter(canAlwaysKnow);
  const fitNear = fit(near).slice(0, Math.ceil(most / 2));
  return [...fitNear, ...fit(far).slice(0, most - fitNear.length)];
}

/** When an agent had the first row that tells of the end of a fault; undefined if none came yet. */
function endSeenMs(view: SizeView | undefined, planned: PlannedFault): number | undefined {
  return view?.endsSeenMs.get(overMs(planned));
}

function indexOf({ layout: { names, zones, zoneOf }, labels }: RoundPlan) {
  return indexCluster(
    names.map((name, node) =>
      makeNode(name, node, {
        zone: zones.length > 1 ? zones[zoneOf[node] ?? 0] : undefined,
        labels: labels?.of[node],
      }),
    ),
    labels?.groupBy,
  );
}

function laterTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
