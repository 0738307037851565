import type { RouterWord } from '../../../api/schema/v1/path-tests.js';
import { pathKey, type Path } from '../../model/path.js';
import type { GetOutcome } from './large-get.js';

/** What is known of large packets on one path. */
export interface LargeState {
  readonly state: 'ok' | 'lost' | 'unknown';
  /** Epoch milliseconds; undefined before the first test. */
  readonly sinceAt: number | undefined;
  /** The largest packet that passes, where it was found. */
  readonly limit?: LargeLimit | undefined;
}

export interface LargeLimit {
  readonly bytes: number;
  readonly saidBy?: RouterWord | undefined;
}

interface Entry extends LargeState {
  readonly path: Path;
  /** Large GETs that were lost in a row, while small ones passed. */
  readonly losses: number;
  /** Monotonic milliseconds. */
  readonly dueMs: number;
}

/** One loss may be chance. */
const lossesToJudge = 3;
/** How soon a path is tested again after its first losses. */
const confirmMs = 2000;
/** How often a path on which large packets are lost is tested: it may be mended. */
const lostMs = 30_000;
/** Each path once in ten minutes at 100 nodes, once an hour at 1,000. */
const leastIntervalMs = 600_000;
const intervalPerNodeMs = 3600;

/** Whether large packets pass, path by path, and which path is tested next. */
export class LargePaths {
  readonly #entries = new Map<string, Entry>();
  #intervalMs = leastIntervalMs;

  /** Takes the primary paths to all nodes that are expected to answer. What is known of the rest is forgotten. */
  setPaths(paths: readonly Path[], nodes: number, nowMs: number): void {
    this.#intervalMs = Math.max(leastIntervalMs, nodes * intervalPerNodeMs);
    const kept = new Set<string>();
    for (const path of paths) {
      const key = pathKey(path);
      kept.add(key);
      if (this.#entries.has(key)) continue;
      const fresh = { state: 'unknown', sinceAt: undefined, losses: 0 } as const;
      this.#entries.set(key, { path, ...fresh, dueMs: nowMs });
    }
    for (const key of this.#entries.keys()) if (!kept.has(key)) this.#entries.delete(key);
  }

  /** When the next path is due; undefined if there is none. */
  nextDueMs(): number | undefined {
    let first: number | undefined;
    for (const { dueMs } of this.#entries.values()) first = Math.min(first ?? dueMs, dueMs);
    return first;
  }

  /** The path that has waited longest; undefined if none is due. */
  next(nowMs: number): Path | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries.values()) {
      if (entry.dueMs <= nowMs && (!first || entry.dueMs < first.dueMs)) first = entry;
    }
    return first?.path;
  }

  /**
   * Takes what became of a large GET, lost only if a small one passed right after. Returns true if the
   * path has just become one on which large packets are lost.
   */
  take(
    path: Path,
    outcome: GetOutcome,
    now: { readonly ms: number; readonly at: number },
  ): boolean {
    const key = pathKey(path);
    const before = this.#entries.get(key);
    if (!before) return false;
    const losses = outcome === 'lost' ? before.losses + 1 : 0;
    const state = stateAfter(before.state, outcome, losses);
    const hasChanged = state !== before.state;
    this.#entries.set(key, {
      path,
      state,
      losses,
      sinceAt: hasChanged ? now.at : before.sinceAt,
      dueMs: now.ms + this.#waitMs(state, losses),
      ...(!hasChanged && before.limit && { limit: before.limit }),
    });
    return hasChanged && state === 'lost';
  }

  /** Takes the largest packet that passes, as it was found. */
  setLimit(path: Path, limit: LargeLimit): void {
    const entry = this.#entries.get(pathKey(path));
    if (entry?.state === 'lost') this.#entries.set(pathKey(path), { ...entry, limit });
  }

  /** What is known of a path; undefined if it is not tested. */
  of(path: Path): LargeState | undefined {
    return this.#entries.get(pathKey(path));
  }

  #waitMs(state: LargeState['state'], losses: number): number {
    if (losses > 0 && losses < lossesToJudge) return confirmMs;
    return state === 'lost' ? lostMs : this.#intervalMs;
  }
}

/** What says nothing changes nothing. */
function stateAfter(
  before: LargeState['state'],
  outcome: GetOutcome,
  losses: number,
): LargeState['state'] {
  if (outcome === 'answered') return 'ok';
  return outcome === 'lost' && losses >= lossesToJudge ? 'lost' : before;
}
