import { tickToleranceMs, type Clock } from '../../platform/clock.js';
import type { PathState, Reachability } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { ProbingPlan } from '../../model/plan.js';
import { Confirmation, type SuspectedChange } from './confirmation.js';
import type { ProbeResult } from './cut-off-detector.js';
import { FailingProbes } from './failing-probes.js';
import type { Grouping } from './group-period.js';
import { Pacer } from './pacer.js';
import { OverdueTimer, type OverdueItem } from './overdue-timer.js';
import {
  confirmationGapMs,
  confirmationBudget,
  intervalMsOf,
  lookBudget,
  onDemandBudget,
  planProbing,
  type Cadence,
} from './plan.js';
import type { Prober } from '../prober.js';
import { SchedulerStatsRecorder, type SchedulerStats } from './scheduler-stats.js';
import { RateQueue } from './rate-queue.js';
import type { Sample } from '../../model/sample.js';
import { PathTask } from './path-task.js';
import { runInSlices, type Steps } from '../../platform/time-slices.js';

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

/** One probe under way. */
interface Probe extends OverdueItem {
  readonly task: PathTask;
  /** Where the probes go that confirm it. */
  readonly confirmations: RateQueue;
  hasSettled: boolean;
}

/** A sweep puts so many paths in the queue at a time. */
const sweptAtOnce = 64;

/**
 * All probing with one protocol. The steady round keeps to the budget. First probes, sweeps and
 * confirmations have larger budgets of their own (`plan.ts`).
 *
 * If a probe is not answered one gap after it was sent, others follow one gap apart, until one is
 * answered or the threshold is reached. The first answer of an unreachable path is confirmed in the
 * same way.
 *
 * While the host is overloaded, paths that were reachable get their steady probes alone: answers come late there
 * because of the load, and confirming each of them would add to it.
 */
export class ProtocolScheduler {
  /** Called where a path may be changing, so that the other protocol looks too. */
  onSuspicion: (path: Path, of: SuspectedChange) => void = () => undefined;
  /** Called with the result of each probe. */
  onResult: (result: ProbeResult) => void = () => undefined;
  readonly #options: ProtocolSchedulerOptions;
  readonly #pacer: Pacer<PathTask>;
  readonly #onDemand: RateQueue;
  readonly #confirmations: RateQueue;
  readonly #looks: RateQueue;
  readonly #overdueTimer: OverdueTimer<Probe>;
  readonly #tasks = new Map<Path, PathTask>();
  /** The paths that wait for their first probe. They may be many, so the queue holds one action for all. */
  readonly #firsts: PathTask[] = [];
  #nextFirst = 0;
  readonly statsRecorder: SchedulerStatsRecorder;
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
    this.#looks = new RateQueue({ clock, perSecond: lookBudget(cadence) });
    this.#failingProbes = new FailingProbes({
      clock,
      queue: this.#onDemand,
      tasks: () => this.#tasks.values(),
      probe: (task) => this.#probe(task, this.#onDemand),
    });
    this.#overdueTimer = new OverdueTimer(clock, (probe) => this.#onOverdue(probe));
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
    if (tasks.length === 0) return;
    for (const task of tasks) this.#firsts.push(task);
    this.#onDemand.run(() => this.#probeFirst(), { urgent: true, turns: tasks.length });
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
    task.cancelCheck = task.enqueue(this.#confirmations, () => {
      task.cancelCheck = undefined;
      if (!isMoot()) this.#visit(task);
    });
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
  look(path: Path): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || task.hasLook || task.cancelCheck || task.confirmation) return;
    if (this.#isSteadyOnly(task)) return;
    const askedMs = this.#options.clock.nowMs();
    const isMoot = (): boolean => task.sentMs > askedMs || task.confirmation !== undefined;
    task.hasLook = true;
    const visit = (): void => {
      task.hasLook = false;
      if (!isMoot()) this.#visit(task);
    };
    task.enqueue(this.#looks, () => {
      if (isMoot()) task.hasLook = false;
      else task.enqueue(this.#confirmations, visit);
    });
  }

  /** Probes every failing path again, at the rate of a sweep. */
  probeFailing(): void {
    this.#failingProbes.start();
  }

  /** Probes a path now, outside its turn. */
  probeNow(path: Path): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || this.#isSteadyOnly(task)) return;
    task.enqueue(this.#onDemand, () => this.#visit(task));
  }

  /**
   * Probes every path now, and resolves when the state of each is decided. A path that does not
   * answer is probed as often as the threshold says, so all dead paths together cost one timeout
   * and the gaps.
   */
  async sweep(): Promise<void> {
    await Promise.all(await runInSlices(this.#sweepAll()));
  }

  stop(): void {
    this.#pacer.stop();
    this.#onDemand.stop();
    this.#failingProbes.stop();
    this.#confirmations.stop();
    this.#looks.stop();
    this.#overdueTimer.stop();
    for (const task of this.#tasks.values()) task.cancelAll();
    this.#options.prober.close();
  }

  /** Probes the next of the paths that wait for their first probe and are still listed. */
  #probeFirst(): void {
    let task: PathTask | undefined;
    do task = this.#firsts[this.#nextFirst++];
    while (task?.isGone);
    if (this.#nextFirst >= this.#firsts.length) {
      this.#firsts.length = 0;
      this.#nextFirst = 0;
    }
    if (!task) return;
    task.isNew = false;
    this.#probe(task, this.#onDemand);
  }

  *#sweepAll(): Steps<Promise<void>[]> {
    const swept: Promise<void>[] = [];
    for (const task of [...this.#tasks.values()]) {
      if (task.isGone) continue;
      swept.push(this.#sweepOne(task));
      if (swept.length % sweptAtOnce === 0) yield;
    }
    return swept;
  }

  #sweepOne(task: PathTask): Promise<void> {
    return new Promise((resolve) => {
      task.track(resolve);
      const end = (): void => {
        task.untrack(resolve);
        resolve();
      };
      const probe = (): void =>
        this.#probe(task, this.#onDemand, () => {
          if (task.confirmation) task.confirmation.onEnd(end);
          else end();
        });
      task.enqueue(this.#onDemand, probe);
    });
  }

  #visit(task: PathTask): void {
    if (task.isNew) return;
    task.cancelCheck?.();
    task.cancelCheck = undefined;
    this.#probe(task, this.#confirmations);
  }

  /** Sends one probe. If it makes the path suspect, other probes from that queue confirm it. */
  #probe(task: PathTask, queue: RateQueue, onSettled?: (sample: Sample) => void): void {
    const { prober, cadence, clock, record } = this.#options;
    const sentMs = clock.nowMs();
    task.sentMs = sentMs;
    const overdueAfterMs = Math.max(this.#gapMs, 2 * ((task.state?.rttNs ?? 0) / 1e6));
    const probe: Probe = {
      task,
      confirmations: queue,
      overdueMs: sentMs + overdueAfterMs,
      hasSettled: false,
    };
    let cancel = (): void => undefined;
    const onSample = (sample: Sample): void => {
      probe.hasSettled = true;
      this.#overdueTimer.settle(probe);
      task.untrack(cancel);
      this.statsRecorder.record(sample, !task.wasProbed);
      task.wasProbed = true;
      const before = task.state;
      const after = record(task.path, sample);
      task.state = after;
      this.#react(task, sample, before?.state, queue, sentMs);
      this.onResult({ path: task.path, outcome: sample.outcome, before, after });
      onSettled?.(sample);
    };
    cancel = prober.probe(task.path, cadence.timeoutMs, onSample);
    if (probe.hasSettled) return;
    task.track(cancel);
    const isSettled = task.confirmation !== undefined || task.state?.state === 'unreachable';
    if (!isSettled && overdueAfterMs < cadence.timeoutMs) this.#overdueTimer.add(probe);
  }

  #isSteadyOnly({ state }: PathTask): boolean {
    return state?.state === 'reachable' && this.#options.isOverloaded?.() === true;
  }

  #onOverdue({ task, confirmations: queue }: Probe): void {
    if (task.isGone || task.state?.state === 'unreachable') return;
    // The overdue probe itself may still become one of the failures.
    const missing = this.#countMissing(task, 'failure') - 1;
    this.#suspect(task, 'failure', missing, queue, 0);
  }

  #react(
    task: PathTask,
    sample: Sample,
    before: PathState['state'] | undefined,
    queue: RateQueue,
    sentMs: number,
  ): void {
    const { state: known } = task;
    const { clock } = this.#options;
    if (!known || task.confirmation) return;
    const delayMs = Math.max(sentMs + this.#gapMs - clock.nowMs(), 0);
    if (sample.outcome === 'failure' && before !== 'unreachable') {
      const isOld = sample.sentMs < known.answeredSentMs;
      const missing = this.#countMissing(task, 'failure');
      if (!isOld) this.#suspect(task, 'failure', missing, queue, delayMs);
    } else if (sample.outcome === 'reply' && before === 'unreachable') {
      this.#suspect(task, 'recovery', this.#countMissing(task, 'recovery'), queue, delayMs);
    }
  }

  get #gapMs(): number {
    const { confirmationGapMs: gapMs = confirmationGapMs } = this.#options.cadence;
    return gapMs - tickToleranceMs;
  }

  /** How many failures, or answers, the verdict on a suspected change lacks; 0 once it is reached. */
  #countMissing({ state }: PathTask, of: SuspectedChange): number {
    const { failureThreshold, recoveryThreshold } = this.#options.cadence;
    if (of === 'failure') {
      return state?.state === 'unreachable' ? 0 : failureThreshold - (state?.failures ?? 0);
    }
    return state?.state === 'reachable' ? 0 : recoveryThreshold - (state?.successes ?? 0);
  }

  /**
   * Lets the other protocol check the path, and sends the probes that are missing for a verdict.
   */
  #suspect(
    task: PathTask,
    of: SuspectedChange,
    missing: number,
    queue: RateQueue,
    delayMs: number,
  ): void {
    if (task.confirmation || (of === 'failure' && this.#isSteadyOnly(task))) return;
    this.onSuspicion(task.path, of);
    if (missing <= 0) return;
    const confirmation = new Confirmation(missing, {
      task,
      change: of,
      countMissing: () => this.#countMissing(task, of),
      queue,
      clock: this.#options.clock,
      gapMs: this.#gapMs,
      probe: (onSettled) => this.#probe(task, queue, onSettled),
    });
    task.confirmation = confirmation;
    confirmation.start(delayMs);
  }
}
