import type { Clock } from '../platform/clock.js';
import { runInSlices, type Steps } from '../platform/time-slices.js';
import { whenIdle } from '../platform/when-idle.js';
import type { Plan } from '../model/plan.js';
import type { AnswerAge } from './answer-age.js';
import type { ListedNodes } from './listed-nodes.js';
import { forgetViews, nodeView } from './node-views.js';
import { countPaths } from './path-counts.js';
import type { ProbeCounters } from './probe-counters.js';
import type { ProbeHistory } from './probe-history.js';
import type { Snapshot } from './snapshot.js';

export interface SnapshotsOptions {
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly listed: ListedNodes;
  readonly history: ProbeHistory;
  readonly counters: Pick<ProbeCounters, 'totals'>;
  readonly plan: () => Plan;
  readonly age: () => AnswerAge;
  /** The views of a snapshot are kept for so long after the last reader; undefined: for ever. */
  readonly viewsKeptMs: number | undefined;
}

/** Makes snapshots of all that is known, of the views of nodes: only of those that have changed they are made anew. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #noteReading: () => void;
  #snapshot: Snapshot | undefined;
  #generation = 0;
  #changed = false;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    const { viewsKeptMs } = options;
    this.#noteReading =
      viewsKeptMs === undefined
        ? () => undefined
        : whenIdle(viewsKeptMs, () => this.#forgetViews());
  }

  /** Takes that something has changed: the next snapshot is another one. */
  noteChange(): void {
    this.#changed = true;
  }

  /**
   * The current snapshot: the same object until something changes. It makes the view of each node
   * that has changed. With thousands of them, use `prepare`, which does so in slices.
   */
  current(): Snapshot {
    this.#noteReading();
    if (this.#changed) {
      this.#changed = false;
      this.#generation++;
      this.#snapshot = undefined;
    }
    return (this.#snapshot ??= this.#createSnapshot(this.#generation));
  }

  /** Makes the views for a snapshot in slices, then resolves with the snapshot. */
  prepare(): Promise<Snapshot> {
    if (!this.#changed) return Promise.resolve(this.current());
    return runInSlices(this.#makeViews());
  }

  #forgetViews(): void {
    this.#snapshot = undefined;
    // The next one has another time, so it is not the same.
    this.#changed = true;
    forgetViews(this.#options.listed.nodes());
  }

  *#makeViews(): Steps<Snapshot> {
    // What changes during the first pass is so little that the second one takes a slice or two.
    for (let pass = 0; pass < 2; pass++) {
      const age = this.#options.age();
      for (const node of this.#options.listed.nodes()) {
        nodeView(node, this.#options.history, age);
        yield;
      }
    }
    return this.current();
  }

  #createSnapshot(generation: number): Snapshot {
    const age = this.#options.age();
    const nodes = Array.from(this.#options.listed.nodes(), (node) =>
      nodeView(node, this.#options.history, age),
    );
    let counts: Snapshot['counts'] | undefined;
    return Object.freeze({
      generation,
      at: this.#options.clock.wallMs(),
      nodes: Object.freeze(nodes),
      plan: this.#options.plan(),
      // Most readers do not need the counts, and counting thousands of nodes takes milliseconds.
      get counts() {
        return (counts ??= countPaths(nodes));
      },
      probes: this.#options.counters.totals(),
    });
  }
}
