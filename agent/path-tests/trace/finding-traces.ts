import type { Plane } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';
import { partingOf, type Parting, type PathTrace } from './path-trace.js';

/** One path that a finding explains, and by what it fails. */
export interface TracePath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
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
  /** Another path of this agent that works by the same plane and protocol. */
  readonly siblingOf: (path: TracePath) => TracePath | undefined;
  /** Resolves when the next trace may begin. */
  readonly pause: () => Promise<void>;
}

/**
 * Traces one path of each finding once while it is open: first the path, then one that works. One trace is
 * under way at a time.
 */
export class FindingTraces {
  readonly #options: FindingTracesOptions;
  readonly #found = new Map<string, FindingTrace | undefined>();
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
    for (const id of this.#found.keys()) if (!wanted.has(id)) this.#found.delete(id);
    this.#waiting = [...wanted]
      .filter(([id]) => !this.#found.has(id))
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
        this.#found.set(id, undefined);
        const found = await this.#trace(path);
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
    const working = other && (await this.#options.trace(other));
    if (other) await pause();
    if (!other || !working?.isReached) return { path, trace };
    const parting = partingOf(trace, working);
    return { path, trace, sibling: { path: other, trace: working }, ...(parting && { parting }) };
  }
}
