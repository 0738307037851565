import type { Clock } from '../../platform/clock.js';
import type { PathState, Reachability } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { ProbingPlan } from '../../model/plan.js';
import type { SuspectedChange } from './confirmation.js';
import { ConfirmedProbes } from './confirmed-probes.js';
import type { ProbeResult } from './cut-off-detector.js';
import { FailingProbes } from './failing-probes.js';
import { FirstProbes } from './first-probes.js';
import type { Grouping } from './group-period.js';
import { Pacer } from './pacer.js';
import {
  confirmationBudget,
  intervalMsOf,
  hintedBudget,
  onDemandBudget,
  planProbing,
  type Cadence,
} from './plan.js';
import type { Prober } from '../prober.js';
import { SchedulerStatsRecorder, type SchedulerStats } from './scheduler-stats.js';
import { RateQueue, type RunOptions } from './rate-queue.js';
import { sweep } from './sweep.js';
import type { Sample } from '../../model/sample.js';
import { PathTask } from './path-task.js';

export interface ProtocolSchedulerOptions {
  readonly prober: Prober;
  readonly cadence: Cadence;
  /** Which steady probes go out together. */
  readonly grouping: Grouping;
  readonly clock: Clock;
  /**
   * New paths wait for their turn in the steady round, of which the first comes after this time. Left out,
   * they are probed at once.
   */
  readonly firstMs?: () => number;
  /** Whether this host has more work than its processors can do; left out, it never has. */
  readonly isOverloaded?: () => boolean;
  /** The zone of a node. Probes of the nodes of one zone do not hold up those of others; left out, no zones are known. */
  readonly zoneOf?: (node: string) => string | undefined;
  /** A number from 0 to below 1, for the phase and the order of the steady round. */
  readonly random?: () => number;
  /** Takes a sample and returns the new state of its path. */
  readonly record: (path: Path, sample: Sample) => PathState | undefined;
}

/** What is known of how a path is probed. Times are monotonic milliseconds, -Infinity for never. */
export interface PathActivity {
  readonly state: Reachability;
  /** When the last probe was sent. */
  readonly sentMs: number;
  /** When the newest answered probe was sent. */
  readonly answeredSentMs: number;
}

/**
 * All probing with one protocol. The steady round keeps to the budget. First probes, sweeps and
 * confirmations (`confirmed-probes.ts`) have larger budgets of their own (`plan.ts`).
 */
export class ProtocolScheduler {
  /** Called where a path may be changing, so that the other protocol probes it too. */
  onSuspicion: (path: Path, of: SuspectedChange) => void = () => undefined;
  /** Called with the result of each probe. */
  onResult: (result: ProbeResult) => void = () => undefined;
  readonly #options: ProtocolSchedulerOptions;
  readonly #pacer: Pacer<PathTask>;
  readonly #onDemand: RateQueue;
  readonly #confirmations: RateQueue;
  readonly #hinted: RateQueue;
  readonly #tasks = new Map<Path, PathTask>();
  readonly statsRecorder: SchedulerStatsRecorder;
  readonly #probes: ConfirmedProbes;
  readonly #firstProbes: FirstProbes;
  readonly #failingProbes: FailingProbes;

  constructor(options: ProtocolSchedulerOptions) {
    this.#options = options;
    const { cadence, clock } = options;
    this.statsRecorder = new SchedulerStatsRecorder(clock);
    this.#pacer = new Pacer({
      ...options,
      intervalMsOf: (count) => intervalMsOf(cadence, count),
      visit: (task) => this.#visit(task),
    });
    this.#onDemand = new RateQueue({ clock, perSecond: onDemandBudget(cadence) });
    this.#confirmations = new RateQueue({ clock, perSecond: confirmationBudget(cadence) });
    this.#hinted = new RateQueue({ clock, perSecond: hintedBudget(cadence) });
    this.#probes = new ConfirmedProbes({
      ...options,
      stats: this.statsRecorder,
      onSuspicion: (path, of) => this.onSuspicion(path, of),
      onResult: (result) => this.onResult(result),
    });
    const probe = (task: PathTask): void => this.#probes.probe(task, this.#onDemand);
    this.#firstProbes = new FirstProbes({ queue: this.#onDemand, probe });
    this.#failingProbes = new FailingProbes({
      clock,
      queue: this.#onDemand,
      tasks: () => this.#tasks.values(),
      probe,
    });
  }

  /** How often each path is probed now, and what follows from it. */
  plan(): ProbingPlan {
    return planProbing(this.#options.cadence, this.#tasks.size);
  }

  /** The state of the scheduler itself, whatever its peers do. */
  stats(): SchedulerStats {
    return this.statsRecorder.stats(this.plan(), this.#options.cadence.timeoutMs);
  }

  add(paths: readonly Path[]): void {
    if (this.#tasks.size === 0) this.statsRecorder.start();
    const tasks = paths.map((path) => new PathTask(path));
    for (const task of tasks) this.#tasks.set(task.path, task);
    this.#pacer.add(tasks);
    if (this.#options.firstMs) {
      for (const task of tasks) task.isNew = false;
      return;
    }
    this.#firstProbes.add(tasks);
  }

  /** The interval of the cadence has changed. */
  replan(): void {
    this.#pacer.replan();
  }

  /** Forgets paths and cancels at once what is under way to them. */
  remove(paths: readonly Path[]): void {
    const tasks = new Set<PathTask>();
    for (const path of paths) {
      const task = this.#tasks.get(path);
      if (task) tasks.add(task);
      if (task?.wasProbed) this.statsRecorder.removePath();
      this.#tasks.delete(path);
    }
    this.#pacer.remove(tasks);
    for (const task of tasks) {
      task.isGone = true;
      task.cancelAll();
    }
  }

  /** Probes a path soon, if that may confirm what the other protocol suspects. */
  check(path: Path, suspicion: SuspectedChange): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || task.cancelCheck) return;
    const verdict = suspicion === 'failure' ? 'unreachable' : 'reachable';
    const isMoot = (): boolean => task.confirmation !== undefined || task.state?.state === verdict;
    if (isMoot()) return;
    // The check comes sooner than the hinted probe, and tells as much.
    cancelHinted(task);
    this.#queueCheck(task, isMoot);
  }

  /**
   * The state of a path. Undefined if it is not listed, or if its first probe has no sample yet.
   */
  activity(path: Path): PathActivity | undefined {
    const task = this.#tasks.get(path);
    if (!task?.state) return undefined;
    const { state, answeredSentMs } = task.state;
    return { state, sentMs: task.sentMs, answeredSentMs };
  }

  /**
   * Probes a path once when the confirmations leave room, because a peer saw it change. It is
   * skipped if anything else has probed the path by then.
   */
  probeSoon(path: Path): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || task.cancelHinted || task.cancelCheck || task.confirmation) return;
    if (this.#probes.isSteadyOnly(task)) return;
    const askedMs = this.#options.clock.nowMs();
    const isMoot = (): boolean => task.sentMs > askedMs || task.confirmation !== undefined;
    const confirm = (): void => {
      task.cancelHinted = undefined;
      if (!isMoot()) this.#queueCheck(task, isMoot);
    };
    task.cancelHinted = task.enqueue(this.#hinted, confirm, this.#laneOf(task));
  }

  /** Probes every failing path again, at the rate of a sweep. */
  probeFailing(): void {
    this.#failingProbes.start();
  }

  /** Probes a path now, outside its turn. */
  probeNow(path: Path): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || this.#probes.isSteadyOnly(task)) return;
    task.enqueue(this.#onDemand, () => this.#visit(task));
  }

  /** Probes every path now, and resolves when the state of each is decided. */
  sweep(): Promise<void> {
    return sweep({
      queue: this.#onDemand,
      tasks: () => this.#tasks.values(),
      probe: (task, onSettled) => this.#probes.probe(task, this.#onDemand, onSettled),
    });
  }

  stop(): void {
    this.#pacer.stop();
    this.#onDemand.stop();
    this.#failingProbes.stop();
    this.#confirmations.stop();
    this.#hinted.stop();
    this.#probes.stop();
    for (const task of this.#tasks.values()) task.cancelAll();
    this.#options.prober.close();
  }

  #visit(task: PathTask): void {
    if (task.isNew) return;
    task.cancelCheck?.();
    task.cancelCheck = undefined;
    cancelHinted(task);
    this.#probes.probe(task, this.#confirmations);
  }

  /** Probes a path when the confirmations leave room, unless that has no use any more by then. */
  #queueCheck(task: PathTask, isMoot: () => boolean): void {
    const check = (): void => {
      task.cancelCheck = undefined;
      if (!isMoot()) this.#visit(task);
    };
    task.cancelCheck = task.enqueue(this.#confirmations, check, this.#laneOf(task));
  }

  #laneOf({ path }: PathTask): RunOptions {
    return { lane: this.#options.zoneOf?.(path.node) ?? '' };
  }
}

function cancelHinted(task: PathTask): void {
  task.cancelHinted?.();
  task.cancelHinted = undefined;
}
