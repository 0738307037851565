import type { FlowPath } from './flow-results.js';

/** A path that came back twice in this time comes and goes. */
const windowMs = 600_000;

interface Entry {
  readonly path: FlowPath;
  readonly lastMs: number;
  readonly beforeMs: number;
}

/**
 * The paths that come and go. Where a quarter of all flows never passes, several probes in a row are often
 * lost, and the path is down for a moment instead of lossy.
 */
export class Returns {
  readonly #entries = new Map<string, Entry>();

  /** Notes that a path that was unreachable answers again. */
  note({ node, plane }: FlowPath, nowMs: number): void {
    const key = `${node} ${plane}`;
    const beforeMs = this.#entries.get(key)?.lastMs ?? -Infinity;
    this.#entries.set(key, { path: { node, plane }, lastMs: nowMs, beforeMs });
  }

  /** Those that came back twice in ten minutes. */
  *paths(nowMs: number): Generator<FlowPath, void> {
    for (const [key, { path, lastMs, beforeMs }] of this.#entries) {
      if (nowMs - lastMs >= windowMs) this.#entries.delete(key);
      else if (nowMs - beforeMs < windowMs) yield path;
    }
  }
}
