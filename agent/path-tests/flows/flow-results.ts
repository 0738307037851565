import type { Plane } from '../../model/path.js';
import type { FlowVerdict } from './flow-counts.js';

/** A path as a row names it: the primary address of a node on a plane. */
export interface FlowPath {
  readonly node: string;
  readonly plane: Plane;
}

/** What a test of the flows of one path found. */
export interface FlowResult extends FlowVerdict {
  /** The address that was tested. */
  readonly ip: string;
  /** Epoch milliseconds. */
  readonly testedAt: number;
  /** Monotonic milliseconds. */
  readonly testedMs: number;
}

interface Entry {
  readonly dueMs: number;
  readonly result: FlowResult | undefined;
}

/** A path is tested at most once in this time. */
const intervalMs = 600_000;
/** What was found counts for this long: on paths that still lose probes it is tested anew before. */
export const resultMs = 2 * intervalMs;
/**
 * All agents may see the same node lose probes. One test sends 192 SYNs: with this share of the time for each
 * node, its address gets 1,000 a second.
 */
const spreadPerNodeMs = 192;

/** Which paths lose probes by HTTP, when the flows of each are tested, and what was found. */
export class FlowResults {
  readonly #entries = new Map<string, Entry>();
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /**
   * Takes the paths that lose probes now, and returns the one that is tested next; undefined if none is due.
   * What is known of others is forgotten in time.
   * @param nodes how many nodes may test the same address
   */
  next(lossy: readonly FlowPath[], nodes: number, nowMs: number): FlowPath | undefined {
    const spreadMs = () => this.#random() * nodes * spreadPerNodeMs;
    const isLossy = new Set<string>();
    let first: { readonly path: FlowPath; readonly dueMs: number } | undefined;
    for (const path of lossy) {
      const key = keyOf(path);
      isLossy.add(key);
      const entry = this.#entries.get(key) ?? { dueMs: nowMs + spreadMs(), result: undefined };
      this.#entries.set(key, entry);
      if (entry.dueMs > nowMs || (first && first.dueMs <= entry.dueMs)) continue;
      first = { path, dueMs: entry.dueMs };
    }
    for (const [key, { dueMs }] of this.#entries) {
      if (!isLossy.has(key) && dueMs <= nowMs) this.#entries.delete(key);
    }
    return first?.path;
  }

  /** Notes that a test begins, whatever it comes to: the path is not tested again too soon. */
  begin(path: FlowPath, nowMs: number): void {
    const result = this.#entries.get(keyOf(path))?.result;
    this.#entries.set(keyOf(path), { dueMs: nowMs + intervalMs, result });
  }

  take(path: FlowPath, result: FlowResult): void {
    const entry = this.#entries.get(keyOf(path));
    if (entry) this.#entries.set(keyOf(path), { ...entry, result });
  }

  /** What was found of a path with this address; undefined if nothing was of late. */
  of(path: FlowPath, ip: string, nowMs: number): FlowResult | undefined {
    const result = this.#entries.get(keyOf(path))?.result;
    return result?.ip === ip && nowMs - result.testedMs < resultMs ? result : undefined;
  }
}

function keyOf({ node, plane }: FlowPath): string {
  return `${node} ${plane}`;
}
