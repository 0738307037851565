import type { Clock } from '../../platform/clock.js';
import type { Judgement } from '../../results/next-state.js';
import type { Path } from '../../model/path.js';
import { Pacer } from './pacer.js';
import { Patience, type Awaited } from './overdue-timer.js';
import { confirmationGapMs, confirmRate, planLane, type Cadence, type LanePlan } from './plan.js';
import type { Prober } from '../prober.js';
import { Pulse, type LaneVitals } from './scheduler-stats.js';
import { RateQueue } from './rate-queue.js';
import type { Sample } from '../../model/sample.js';
import { Task } from './path-task.js';

export interface LaneOptions {
  readonly prober: Prober;
  readonly cadence: Cadence;
  /** Steady probes due within this time go out together. */
  readonly groupMs: number;
  readonly clock: Clock;
  /** A number from 0 to below 1, for the phase and the order of the steady round. */
  readonly random?: () => number;
  /** Takes a sample and says what is now known of its path. */
  readonly record: (path: Path, sample: Sample) => Judgement | undefined;
}

/** In which way a path may be changing. */
export type Suspicion = 'failure' | 'recovery';

/** One probe under way. */
interface Probe extends Awaited {
  readonly task: Task;
  /** Where the probes go that confirm it. */
  readonly queue: RateQueue;
}

/** New paths and sweeps may be probed at this many times the budget. */
const errandFactor = 4;

/**
 * All probing with one protocol. The steady round keeps to the budget; first probes and sweeps may
 * go four times as fast; probes that confirm a change have a budget of their own.
 *
 * A probe that is not answered a gap after it was sent, failed or still waited for, is followed by
 * others a gap apart until one is answered or there are as many as the threshold says; likewise
 * the first answer of a path that was unreachable.
 */
export class Lane {
  /** Called where a path may be changing, so that the other protocol looks too. */
  onSuspicion: (path: Path, of: Suspicion) => void = () => undefined;
  readonly #options: LaneOptions;
  readonly #pacer: Pacer<Task>;
  readonly #errands: RateQueue;
  readonly #confirmations: RateQueue;
  readonly #patience: Patience<Probe>;
  readonly #tasks = new Map<Path, Task>();
  readonly pulse: Pulse;

  constructor(options: LaneOptions) {
    this.#options = options;
    const { cadence, clock } = options;
    this.pulse = new Pulse(clock);
    this.#pacer = new Pacer({
      ...options,
      intervalMsOf: (count) => planLane(cadence, count).intervalMs,
      visit: (task) => this.#visit(task),
    });
    const { budgetPerSecond } = cadence;
    this.#errands = new RateQueue({ clock, perSecond: errandFactor * budgetPerSecond });
    this.#confirmations = new RateQueue({ clock, perSecond: confirmRate(cadence) });
    this.#patience = new Patience(clock, (probe) => this.#overdue(probe));
  }

  /** How often each path is probed now, and what follows from it. */
  plan(): LanePlan {
    return planLane(this.#options.cadence, this.#tasks.size);
  }

  /** How it is doing, whatever its peers do. */
  vitals(): LaneVitals {
    return this.pulse.vitals(this.plan(), this.#options.cadence.timeoutMs);
  }

  add(paths: readonly Path[]): void {
    if (this.#tasks.size === 0) this.pulse.begin();
    const tasks = paths.map((path) => new Task(path));
    for (const task of tasks) this.#tasks.set(task.path, task);
    this.#pacer.add(tasks);
    for (const task of tasks) {
      const probeFirst = (): void => {
        task.isNew = false;
        this.#probe(task, this.#errands);
      };
      task.later(this.#errands, probeFirst, { urgent: true });
    }
  }

  /** Forgets paths; what is under way to them is cancelled at once. */
  remove(paths: readonly Path[]): void {
    const tasks = new Set<Task>();
    for (const path of paths) {
      const task = this.#tasks.get(path);
      if (task) tasks.add(task);
      if (task?.known) this.pulse.forget();
      this.#tasks.delete(path);
    }
    this.#pacer.remove(tasks);
    for (const task of tasks) {
      task.isGone = true;
      task.takeBackAll();
    }
  }

  /** Probes a path soon, where that may tell something new of what the other protocol suspects. */
  check(path: Path, suspicion: Suspicion): void {
    const task = this.#tasks.get(path);
    if (!task || task.isNew || task.takeBackCheck || task.afterTrain) return;
    if (task.known?.state === (suspicion === 'failure' ? 'unreachable' : 'reachable')) return;
    task.takeBackCheck = task.later(this.#confirmations, () => this.#visit(task));
  }

  /**
   * Probes every path now, and resolves when all are judged: one that does not answer is probed as
   * often as the threshold says, so all dead paths together cost one timeout and the gaps.
   */
  async sweep(): Promise<void> {
    const swept = [...this.#tasks.values()].map(
      (task) =>
        new Promise<void>((resolve) => {
          task.note(resolve);
          const end = (): void => {
            task.forget(resolve);
            resolve();
          };
          const probe = (): void =>
            this.#probe(task, this.#errands, () => {
              if (task.afterTrain) task.afterTrain.push(end);
              else end();
            });
          task.later(this.#errands, probe);
        }),
    );
    await Promise.all(swept);
  }

  stop(): void {
    this.#pacer.stop();
    this.#errands.stop();
    this.#confirmations.stop();
    this.#patience.stop();
    for (const task of this.#tasks.values()) task.takeBackAll();
    this.#options.prober.close();
  }

  #visit(task: Task): void {
    if (task.isNew) return;
    task.takeBackCheck?.();
    task.takeBackCheck = undefined;
    this.#probe(task, this.#confirmations);
  }

  /** Sends one probe. Where it makes the path suspect, a train from that queue follows. */
  #probe(task: Task, queue: RateQueue, onSettled?: (sample: Sample) => void): void {
    const { prober, cadence, clock, record } = this.#options;
    const sentMs = clock.nowMs();
    const patienceMs = Math.max(confirmationGapMs, 2 * ((task.known?.rttNs ?? 0) / 1e6));
    const probe: Probe = { task, queue, overdueMs: sentMs + patienceMs, settled: false };
    let cancel = (): void => undefined;
    const onSample = (sample: Sample): void => {
      probe.settled = true;
      task.forget(cancel);
      this.pulse.beat(sample, task.known === undefined);
      const before = task.known?.state;
      task.known = record(task.path, sample);
      this.#react(task, sample, before, queue, sentMs);
      onSettled?.(sample);
    };
    cancel = prober.probe(task.path.ip, cadence.timeoutMs, onSample);
    if (probe.settled) return;
    task.note(cancel);
    const isSettled = task.afterTrain !== undefined || task.known?.state === 'unreachable';
    if (!isSettled && patienceMs < cadence.timeoutMs) this.#patience.wait(probe);
  }

  #overdue({ task, queue }: Probe): void {
    if (task.isGone || task.known?.state === 'unreachable') return;
    const missing = this.#options.cadence.failureThreshold - (task.known?.failures ?? 0) - 1;
    this.#suspect(task, 'failure', missing, queue, 0);
  }

  #react(
    task: Task,
    sample: Sample,
    before: Judgement['state'] | undefined,
    queue: RateQueue,
    sentMs: number,
  ): void {
    const { known } = task;
    const { cadence, clock } = this.#options;
    if (!known || task.afterTrain) return;
    const delayMs = Math.max(sentMs + confirmationGapMs - clock.nowMs(), 0);
    if (sample.outcome === 'failure' && before !== 'unreachable') {
      const isOld = sample.sentMs < known.answeredSentMs;
      const missing = cadence.failureThreshold - known.failures;
      if (!isOld) this.#suspect(task, 'failure', missing, queue, delayMs);
    } else if (sample.outcome === 'reply' && before === 'unreachable') {
      const missing = known.state === 'reachable' ? 0 : cadence.recoveryThreshold - known.successes;
      this.#suspect(task, 'recovery', missing, queue, delayMs);
    }
  }

  /** Lets the other protocol look, and sends the probes that are missing for a verdict. */
  #suspect(task: Task, of: Suspicion, missing: number, queue: RateQueue, delayMs: number): void {
    if (task.afterTrain) return;
    this.onSuspicion(task.path, of);
    if (missing > 0) this.#train(task, of, missing, queue, delayMs);
  }

  /** Up to `count` probes a gap apart, none waiting for another, until one says otherwise. */
  #train(task: Task, of: Suspicion, count: number, queue: RateQueue, delayMs: number): void {
    const refuting = of === 'failure' ? 'reply' : 'failure';
    let sent = 0;
    let open = 0;
    let stopNext: (() => void) | undefined;
    task.afterTrain = [];
    const end = (): void => {
      stopNext?.();
      const waiting = task.afterTrain ?? [];
      task.afterTrain = undefined;
      for (const callback of waiting) callback();
    };
    let ended = false;
    const next = (): void => {
      sent++;
      open++;
      if (sent < count) stopNext = task.after(this.#options.clock, confirmationGapMs, queueNext);
      this.#probe(task, queue, ({ outcome }) => {
        open--;
        if (ended || (outcome !== refuting && (open > 0 || sent < count))) return;
        ended = true;
        end();
      });
    };
    const queueNext = (): void => {
      // Where it ran at once, it has already said how to stop the one after it.
      stopNext = task.later(queue, next, { urgent: true }) ?? stopNext;
    };
    if (delayMs > 0) stopNext = task.after(this.#options.clock, delayMs, queueNext);
    else queueNext();
  }
}
