import { runAtOnce, runInSlices, type Steps } from '../../platform/time-slices.js';
import type { Path } from '../../model/path.js';
import type { SuspectedChange } from './confirmation.js';
import { CutOffDetector, type CutOffOptions } from './cut-off-detector.js';
import type { PathActivity, ProtocolScheduler } from './protocol-scheduler.js';
import type { Plan } from '../../model/plan.js';
import type { SchedulerStats } from './scheduler-stats.js';
import { protocols, type Protocol } from '../../model/sample.js';

/** Paths that came and paths that went. */
export interface PathChanges {
  readonly added: readonly Path[];
  readonly removed: readonly Path[];
}

/** The state of a protocol's scheduler. */
export type ProtocolStats = { readonly protocol: Protocol } & SchedulerStats;

/** Called when a path may be changing. */
export type SuspicionListener = (path: Path, protocol: Protocol, of: SuspectedChange) => void;

/**
 * The schedulers of all protocols. When one suspects a path, the others check it. When the agent
 * was cut off and is back, all of them probe the failing paths again.
 */
export class Scheduler {
  readonly #schedulers: Readonly<Partial<Record<Protocol, ProtocolScheduler>>>;
  readonly #stopping = new AbortController();
  readonly #cutOff: CutOffDetector;
  #sweep: Promise<void> | undefined;
  #isListed = false;
  #isSwept = false;

  constructor(
    schedulers: Readonly<Partial<Record<Protocol, ProtocolScheduler>>>,
    cutOff: CutOffOptions,
    onSuspicion: SuspicionListener = () => undefined,
  ) {
    this.#schedulers = schedulers;
    this.#cutOff = new CutOffDetector(cutOff);
    for (const protocol of protocols) {
      const scheduler = schedulers[protocol];
      if (!scheduler) continue;
      const others = Object.values(schedulers).filter((other) => other !== scheduler);
      scheduler.onSuspicion = (path, of) => {
        for (const other of others) other.check(path, of);
        onSuspicion(path, protocol, of);
      };
      scheduler.onResult = (result) => {
        if (this.#cutOff.isBack(result, protocol)) this.#probeFailing();
      };
    }
  }

  /**
   * The state of a path by a protocol. Undefined if that protocol does not probe it, or has not
   * yet.
   */
  activity(path: Path, protocol: Protocol): PathActivity | undefined {
    return this.#schedulers[protocol]?.activity(path);
  }

  /** Probes a path once when the agent's own confirmations leave room. */
  probeSoon(path: Path, protocol: Protocol): void {
    this.#schedulers[protocol]?.probeSoon(path);
  }

  /** Probes a path now, outside its turn. */
  probeNow(path: Path, protocol: Protocol): void {
    this.#schedulers[protocol]?.probeNow(path);
  }

  /** How each protocol is probed now. */
  plan(): Plan {
    return Object.fromEntries(
      Object.entries(this.#schedulers).map(([protocol, scheduler]) => [protocol, scheduler.plan()]),
    );
  }

  /** Probes new paths at once and stops probing those that went. */
  update(changes: PathChanges): void {
    runAtOnce(this.#update(changes));
  }

  /** The same in slices. Resolves when all paths are taken. */
  updateInSlices(changes: PathChanges): Promise<void> {
    return runInSlices(this.#update(changes));
  }

  /**
   * Probes every path with every protocol now. Callers share a sweep that is under way.
   * @throws Error where the scheduler stops meanwhile
   */
  sweep(): Promise<void> {
    this.#sweep ??= this.#sweepOnce().finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  /** The state of each scheduler itself, whatever its peers do. */
  stats(): ProtocolStats[] {
    return protocols.flatMap((protocol) => {
      const scheduler = this.#schedulers[protocol];
      return scheduler ? [{ protocol, ...scheduler.stats() }] : [];
    });
  }

  /**
   * Whether every path was probed at least once since the first paths came. Paths that come later
   * do not undo it.
   */
  get isSwept(): boolean {
    if (this.#isSwept || !this.#isListed) return this.#isSwept;
    const stats = this.stats();
    const isSwept = stats.every(({ paths, probed }) => probed === paths);
    // An empty list is swept at once, and says nothing of the paths of the next one.
    this.#isSwept = isSwept && stats.some(({ paths }) => paths > 0);
    return isSwept;
  }

  /** No sample is late for a time in which the whole process stood still. */
  extendDeadlines(ms: number): void {
    for (const scheduler of Object.values(this.#schedulers))
      scheduler.statsRecorder.extendDeadline(ms);
  }

  /** Stops all probing; a second call does nothing. */
  stop(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    for (const scheduler of Object.values(this.#schedulers)) scheduler.stop();
  }

  #probeFailing(): void {
    for (const scheduler of Object.values(this.#schedulers)) scheduler.probeFailing();
  }

  *#update({ added, removed }: PathChanges): Steps<void> {
    const schedulers = Object.values(this.#schedulers);
    this.#cutOff.update();
    for (const paths of batches(removed)) {
      for (const scheduler of schedulers) {
        scheduler.remove(paths);
        yield;
      }
    }
    for (const paths of batches(added)) {
      for (const scheduler of schedulers) {
        if (this.#stopping.signal.aborted) return;
        scheduler.add(paths);
        yield;
      }
    }
    this.#isListed = true;
  }

  async #sweepOnce(): Promise<void> {
    const { signal } = this.#stopping;
    let refuse = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      refuse = (): void => reject(new Error('the agent is stopping'));
      if (signal.aborted) refuse();
      signal.addEventListener('abort', refuse, { once: true });
    });
    try {
      await Promise.race([
        Promise.all(Object.values(this.#schedulers).map((scheduler) => scheduler.sweep())),
        stopped,
      ]);
    } finally {
      signal.removeEventListener('abort', refuse);
    }
  }
}

/**
 * So many paths are taken at a time, in some milliseconds: each batch is merged into the whole
 * round.
 */
const batchSize = 500;

function* batches(paths: readonly Path[]): Generator<readonly Path[]> {
  for (let from = 0; from < paths.length; from += batchSize) {
    yield paths.slice(from, from + batchSize);
  }
}
