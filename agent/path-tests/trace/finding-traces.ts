import type { Plane } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';
import { partingOf, type Parting, type PathTrace } from './path-trace.js';

/** One path that a finding explains, and by what it fails. */
export interface TracePath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  /** By HTTP: the source port of a flow that never passes while others do; absent for any flow. */
  readonly port?: number;
}

/** What a trace of a finding's path found, beside a path that works. */
export interface FindingTrace {
  readonly path: TracePath;
  readonly trace: PathTrace;
  readonly sibling?: { readonly path: TracePath; readonly trace: PathTrace };
  readonly parting?: Parting;
}

export interface FindingTracesOptions {
  /** Traces a path; undefined where that cannot be done, or nothing answers. */
  readonly trace: (path: TracePath) => Promise<PathTrace | undefined>;
  /** Another path of this agent that works by the same plane and protocol, or another flow of the same. */
  readonly siblingOf: (path: TracePath) => TracePath | undefined;
  /** Resolves when the next trace may begin. */
  readonly pause: () => Promise<void>;
}

/** Of flows of one path, one that is chosen by chance may be dead too. */
const mostSiblings = 3;

/**
 * Traces one path of each finding once while it is open, and once more when a flow is known that never passes: first
 * the path, then one that works. One trace is under way at a time.
 */
export class FindingTraces {
  readonly #options: FindingTracesOptions;
  readonly #found = new Map<string, FindingTrace | undefined>();
  readonly #isOfFlow = new Set<string>();
  #waiting: { readonly id: string; readonly path: TracePath }[] = [];
  #isRunning = false;

  constructor(options: FindingTracesOptions) {
    this.#options = options;
  }

  /**
   * Takes the open findings of which this agent is to trace a path, all of them. What is known of others is
   * forgotten.
   */
  update(wanted: ReadonlyMap<string, TracePath>): void {
    for (const id of this.#found.keys()) {
      if (wanted.has(id)) continue;
      this.#found.delete(id);
      this.#isOfFlow.delete(id);
    }
    this.#waiting = [...wanted]
      .filter(
        ([id, { port }]) => !this.#found.has(id) || (port !== undefined && !this.#isOfFlow.has(id)),
      )
      .map(([id, path]) => ({ id, path }));
    if (!this.#isRunning) void this.#run();
  }

  /** What was found for a finding; undefined where nothing was. */
  of(id: string): FindingTrace | undefined {
    return this.#found.get(id);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let next; (next = this.#waiting.shift());) {
        const { id, path } = next;
        const before = this.#found.get(id);
        this.#found.set(id, before);
        if (path.port !== undefined) this.#isOfFlow.add(id);
        const found = (await this.#trace(path)) ?? before;
        // The finding may have closed meanwhile.
        if (this.#found.has(id)) this.#found.set(id, found);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #trace(path: TracePath): Promise<FindingTrace | undefined> {
    const { siblingOf, pause } = this.#options;
    const trace = await this.#options.trace(path);
    await pause();
    if (!trace) return undefined;
    const other = trace.isReached ? undefined : siblingOf(path);
    const tries = other?.node === path.node ? mostSiblings : 1;
    for (let tried = 0; other && tried < tries; tried++) {
      const working = await this.#options.trace(other);
      await pause();
      if (!working?.isReached) continue;
      const parting = partingOf(trace, working);
      const sibling = { path: other, trace: working };
      return { path, trace, sibling, ...(parting && { parting }) };
    }
    return { path, trace };
  }
}
