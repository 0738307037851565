import { planes } from '../../../agent/model/path.js';
import { lossOf } from '../../faults/trouble.js';
import type { RoundPlan } from '../timeline/round-plan.js';
import { AgentProcesses } from './agent-processes.js';
import { Hearing } from './hearing.js';
import { Hints } from './hints.js';
import { PathChanges } from './path-changes.js';
import { ProbeTimes } from './probe-times.js';
import { Refutations } from './refutations.js';
import { timedTroubles, type TimedTrouble } from './timed-troubles.js';

/** A cluster of any size in which the faults of a plan begin and end, as its agents probe it. No agent is run. */
export class SizeWorld {
  readonly plan: RoundPlan;
  readonly nodes: number;
  readonly changes: PathChanges;
  readonly processes: AgentProcesses;
  readonly probes: ProbeTimes;
  readonly hearing: Hearing;
  readonly hints: Hints;
  readonly refutations: Refutations;
  /** The troubles that lose a share of the packets. */
  readonly losses: readonly TimedTrouble[];

  constructor(plan: RoundPlan) {
    this.plan = plan;
    this.nodes = plan.layout.names.length;
    const troubles = timedTroubles(plan);
    this.losses = troubles.filter(({ trouble }) => trouble.loss);
    this.changes = new PathChanges(plan.layout, troubles);
    this.processes = new AgentProcesses(plan);
    this.probes = new ProbeTimes(this.nodes, plan.seed);
    this.hearing = new Hearing(this.changes, this.processes);
    this.hints = new Hints(this.changes, this.hearing, this.probes);
    this.refutations = new Refutations(this.changes, this.processes, this.probes);
  }

  /** The nodes to which packets of a node are lost at random, at some time. */
  losingFrom(node: number): readonly number[] {
    const losing = new Set<number>();
    for (const { trouble } of this.losses) {
      for (let to = 0; to < this.nodes; to++) {
        if (to === node || !trouble.touches(node, to)) continue;
        if (planes.some((plane) => lossOf([trouble], node, to, plane) > 0)) losing.add(to);
      }
    }
    return [...losing];
  }

  /** Whether an agent runs on a node, and does not stand still. */
  runs(node: number, atMs: number): boolean {
    return (
      this.processes.at(node, atMs) !== undefined && this.processes.goesOnMs(node, atMs) === atMs
    );
  }

  /** Whether an agent passes on hints of a change, which live for some time. */
  hasNews(agent: number, atMs: number, forMs: number): boolean {
    const from = this.changes.classes.classOf[agent] ?? 0;
    const [longestMs = 0] = this.probes.intervalMs;
    return this.changes.atMs.some((changeMs) => {
      if (changeMs > atMs || atMs > changeMs + longestMs + 2 * forMs) return false;
      const group = this.hearing.groupOf(from, changeMs);
      const changed = group === -1 ? [] : this.hints.toldOf(changeMs, group);
      if (changed.length > fewNodes) return atMs <= changeMs + longestMs + forMs;
      return changed.some((node) => {
        const bornMs = this.hints.bornMs(agent, node, changeMs);
        return bornMs <= atMs && atMs <= bornMs + forMs;
      });
    });
  }

  /** Whether the GET of one agent to another is answered that is sent then. */
  exchanges(from: number, to: number, atMs: number): boolean {
    return (
      this.runs(from, atMs) &&
      this.runs(to, atMs) &&
      this.changes.failure(from, to, getChannel, atMs) === undefined
    );
  }
}

/** Hints of changes at more nodes are told as long as agents meet them. */
const fewNodes = 20;

/** Of the GETs between agents. */
export const getChannel = 1;
