import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { Sample } from '../../model/sample.js';
import { tickToleranceMs, type Clock } from '../../platform/clock.js';
import type { Prober } from '../prober.js';
import { Confirmation, type SuspectedChange } from './confirmation.js';
import type { ProbeResult } from './cut-off-detector.js';
import { OverdueTimer, type OverdueItem } from './overdue-timer.js';
import type { PathTask } from './path-task.js';
import { confirmationGapMs, type Cadence } from './plan.js';
import type { RateQueue } from './rate-queue.js';
import type { SchedulerStatsRecorder } from './scheduler-stats.js';

export interface ConfirmedProbesOptions {
  readonly prober: Prober;
  readonly cadence: Cadence;
  readonly clock: Clock;
  readonly stats: SchedulerStatsRecorder;
  /** Whether this host has more work than its processors can do; left out, it never has. */
  readonly isOverloaded?: (() => boolean) | undefined;
  /** Takes a sample and returns the new state of its path. */
  readonly record: (path: Path, sample: Sample) => PathState | undefined;
  /** Called where a path may be changing. */
  readonly onSuspicion: (path: Path, of: SuspectedChange) => void;
  readonly onResult: (result: ProbeResult) => void;
}

/** One probe under way. */
interface Probe extends OverdueItem {
  readonly task: PathTask;
  /** Where the probes go that confirm it. */
  readonly confirmations: RateQueue;
  hasSettled: boolean;
}

/**
 * Sends single probes, and those that confirm what they make suspect.
 *
 * If a probe is not answered one gap after it was sent, others follow one gap apart, until one is
 * answered or the threshold is reached. The first answer of an unreachable path is confirmed in the
 * same way.
 *
 * While the host is overloaded, paths that were reachable get their steady probes alone: answers come late there
 * because of the load, and confirming each of them would add to it.
 */
export class ConfirmedProbes {
  readonly #options: ConfirmedProbesOptions;
  readonly #overdueTimer: OverdueTimer<Probe>;

  constructor(options: ConfirmedProbesOptions) {
    this.#options = options;
    this.#overdueTimer = new OverdueTimer(options.clock, (probe) => this.#onOverdue(probe));
  }

  /** Sends one probe. If it makes the path suspect, other probes from that queue confirm it. */
  probe(task: PathTask, queue: RateQueue, onSettled?: (sample: Sample) => void): void {
    const { prober, cadence, clock, stats, record, onResult } = this.#options;
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
      stats.record(sample, !task.wasProbed);
      task.wasProbed = true;
      const before = task.state;
      const after = record(task.path, sample);
      task.state = after;
      this.#react(task, sample, before?.state, queue, sentMs);
      onResult({ path: task.path, outcome: sample.outcome, before, after });
      onSettled?.(sample);
    };
    cancel = prober.probe(task.path, cadence.timeoutMs, onSample);
    if (probe.hasSettled) return;
    task.track(cancel);
    const isSettled = task.confirmation !== undefined || task.state?.state === 'unreachable';
    if (!isSettled && overdueAfterMs < cadence.timeoutMs) this.#overdueTimer.add(probe);
  }

  /** Whether the host has too much work for any but the steady probes of a path that was reachable. */
  isSteadyOnly({ state }: PathTask): boolean {
    return state?.state === 'reachable' && this.#options.isOverloaded?.() === true;
  }

  stop(): void {
    this.#overdueTimer.stop();
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
    if (task.confirmation || (of === 'failure' && this.isSteadyOnly(task))) return;
    this.#options.onSuspicion(task.path, of);
    if (missing <= 0) return;
    const confirmation = new Confirmation(missing, {
      task,
      change: of,
      countMissing: () => this.#countMissing(task, of),
      queue,
      clock: this.#options.clock,
      gapMs: this.#gapMs,
      probe: (onSettled) => this.probe(task, queue, onSettled),
    });
    task.confirmation = confirmation;
    confirmation.start(delayMs);
  }
}
