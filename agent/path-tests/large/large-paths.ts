import type { RouterWord } from '../../../api/schema/v1/path-tests.js';
import type { TunnelKind } from '../../model/row-large.js';
import { pathKey, type Path } from '../../model/path.js';
import type { Steps } from '../../platform/time-slices.js';
import { DueQueue } from './due-queue.js';
import type { GetOutcome } from './large-get.js';

/** What is known of large packets on one path. */
export interface LargeState {
  readonly state: 'ok' | 'lost' | 'unknown';
  /** Epoch milliseconds; undefined before the first test. */
  readonly sinceAt: number | undefined;
  /** Of a path on which they are lost: the request came through and the answer did not. */
  readonly isBack?: boolean | undefined;
  /** The largest packet that passes, where it was found. */
  readonly limit?: LargeLimit | undefined;
}

export interface LargeLimit {
  readonly bytes: number;
  /** What the interface takes. */
  readonly interfaceBytes: number;
  readonly saidBy?: RouterWord | undefined;
  /** The kinds of tunnels of which this host has devices. */
  readonly tunnels?: readonly TunnelKind[];
}

/** A path and what is known of it. Times are monotonic milliseconds. */
export interface LargeEntry extends LargeState {
  readonly path: Path;
  readonly sinceMs: number;
  /** When it was last tested, and when large packets passed last; undefined before. */
  readonly testedMs: number | undefined;
  readonly passedMs: number | undefined;
  /** Large GETs that were lost in a row, while small ones passed; and how many of the last ones on the way back. */
  readonly losses: number;
  readonly backLosses: number;
  readonly dueMs: number;
}

/** One loss may be chance. */
const lossesToJudge = 3;
/** How soon a path is tested again after its first losses. */
const confirmMs = 2000;
/** How often a path on which large packets are lost is tested: it may be mended. */
const lostMs = 30_000;
/** With many of them not more than half of all tests are of such paths. */
const lostPerPathMs = 2000;
/** Each path once in ten minutes at 100 nodes, once an hour at 1,000. */
const leastIntervalMs = 600_000;
const intervalPerNodeMs = 3600;

/** The time between the first tests of two paths. */
const firstPassMs = 1000;

/** The work between two yields. */
const pathsInStep = 200;

const untested = {
  state: 'unknown',
  sinceAt: undefined,
  testedMs: undefined,
  passedMs: undefined,
  losses: 0,
  backLosses: 0,
} as const;

/** Whether large packets pass, path by path, and which path is tested next. */
export class LargePaths {
  readonly #entries = new Map<string, LargeEntry>();
  readonly #due = new DueQueue();
  #intervalMs = leastIntervalMs;
  #lost = 0;

  /**
   * Takes the primary paths to all nodes that are expected to answer. What is known of the rest is forgotten. New
   * ones have their first turn one after the other, in that order. There may be thousands, so it goes in steps.
   */
  *setPaths(paths: readonly Path[], nodes: number, nowMs: number): Steps<void> {
    this.#intervalMs = Math.max(leastIntervalMs, nodes * intervalPerNodeMs);
    const kept = new Set<string>();
    let dueMs = nowMs;
    for (const [at, path] of paths.entries()) {
      if (at % pathsInStep === 0) yield;
      const key = pathKey(path);
      kept.add(key);
      if (this.#entries.has(key)) continue;
      this.#set({ path, ...untested, sinceMs: nowMs, dueMs });
      dueMs += firstPassMs;
    }
    let seen = 0;
    for (const key of this.#entries.keys()) {
      if (seen++ % pathsInStep === 0) yield;
      if (kept.has(key)) continue;
      // Its test may have ended between two steps.
      if (this.#entries.get(key)?.state === 'lost') this.#lost--;
      this.#entries.delete(key);
      this.#due.delete(key);
    }
  }

  /** When the next path is due; undefined if there is none. */
  nextDueMs(): number | undefined {
    return this.#due.first()?.dueMs;
  }

  /**
   * The path that has waited longest; undefined if none is due. It is not given again before its result is taken,
   * or its test was long enough for any.
   */
  next(nowMs: number): Path | undefined {
    const { key = '', dueMs = Infinity } = this.#due.first() ?? {};
    const first = dueMs <= nowMs ? this.#entries.get(key) : undefined;
    if (first) this.#set({ ...first, dueMs: nowMs + lostMs });
    return first?.path;
  }

  /** Tests a path at that time, if it is not its turn before. */
  hurry(path: Path, dueMs: number): void {
    const entry = this.#entries.get(pathKey(path));
    if (entry && dueMs < entry.dueMs) this.#set({ ...entry, dueMs });
  }

  /**
   * Takes what became of a large GET, lost only if a small one passed right after. Returns the new state if it has
   * changed.
   */
  take(
    path: Path,
    outcome: GetOutcome,
    now: { readonly ms: number; readonly at: number },
  ): LargeState['state'] | undefined {
    const before = this.#entries.get(pathKey(path));
    if (!before) return undefined;
    const isLost = outcome === 'lost-there' || outcome === 'lost-back';
    const losses = isLost ? before.losses + 1 : 0;
    // That a request did not come is said. That its answer did not is only not heard, which one test may do by chance.
    const backLosses =
      outcome === 'lost-back' ? before.backLosses + 1 : isLost ? 0 : before.backLosses;
    const state = stateAfter(before.state, outcome, losses);
    const hasChanged = state !== before.state;
    this.#set({
      path,
      state,
      losses,
      backLosses: outcome === 'answered' ? 0 : backLosses,
      sinceAt: hasChanged ? now.at : before.sinceAt,
      sinceMs: hasChanged ? now.ms : before.sinceMs,
      testedMs: now.ms,
      passedMs: outcome === 'answered' ? now.ms : before.passedMs,
      dueMs: now.ms + this.#waitMs(state, losses),
      ...(state === 'lost' && { isBack: backLosses >= lossesToJudge }),
      ...(!hasChanged && before.limit && { limit: before.limit }),
    });
    if (!hasChanged) return undefined;
    if (before.state === 'lost') this.#lost--;
    if (state === 'lost') this.#lost++;
    return state;
  }

  /** Takes the largest packet that passes, as it was found. */
  setLimit(path: Path, limit: LargeLimit): void {
    const entry = this.#entries.get(pathKey(path));
    if (entry?.state === 'lost') this.#set({ ...entry, limit });
  }

  /** What is known of a path; undefined if it is not tested. */
  of(path: Path): LargeEntry | undefined {
    return this.#entries.get(pathKey(path));
  }

  /** All paths, and what is known of them. */
  entries(): Iterable<LargeEntry> {
    return this.#entries.values();
  }

  /** On how many paths large packets are lost. */
  get lost(): number {
    return this.#lost;
  }

  #set(entry: LargeEntry): void {
    const key = pathKey(entry.path);
    this.#entries.set(key, entry);
    this.#due.set(key, entry.dueMs);
  }

  #waitMs(state: LargeState['state'], losses: number): number {
    if (losses > 0 && losses < lossesToJudge) return confirmMs;
    return state === 'lost' ? Math.max(lostMs, this.#lost * lostPerPathMs) : this.#intervalMs;
  }
}

/** What says nothing changes nothing. */
function stateAfter(
  before: LargeState['state'],
  outcome: GetOutcome,
  losses: number,
): LargeState['state'] {
  if (outcome === 'answered') return 'ok';
  return losses >= lossesToJudge ? 'lost' : before;
}
