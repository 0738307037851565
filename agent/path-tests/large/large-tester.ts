import { setTimeout as delay } from 'node:timers/promises';
import type { Path } from '../../model/path.js';
import type { Clock } from '../../platform/clock.js';
import type { GetOutcome } from './large-get.js';
import type { LargeLimit, LargePaths } from './large-paths.js';

/** At most one path is tested in this time. */
const paceMs = 1000;
/** The list of nodes is looked at as often, where there is none yet more often. */
const refreshMs = 30_000;
const firstRefreshMs = 5000;

export interface LargeTesterOptions {
  readonly paths: LargePaths;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** Sends one GET with so many bytes each way. */
  readonly get: (path: Path, isLarge: boolean, signal: AbortSignal) => Promise<GetOutcome>;
  /** Finds the largest packet that passes; undefined where that cannot be found. */
  readonly findLimit: (path: Path, signal: AbortSignal) => Promise<LargeLimit | undefined>;
  /** Brings the list of paths up to date. It is called twice a minute. */
  readonly refresh: () => void;
  readonly onLost: (path: Path, limit: LargeLimit | undefined) => void;
}

/** Tests one path after the other with large GETs, until it is stopped. Returns how to stop it. */
export function startLargeTester(options: LargeTesterOptions): () => void {
  const stopping = new AbortController();
  void run(options, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return () => stopping.abort();
}

async function run(options: LargeTesterOptions, signal: AbortSignal): Promise<void> {
  const { paths, clock, refresh } = options;
  let refreshedMs = -Infinity;
  for (;;) {
    const dueMs = paths.nextDueMs();
    const waitMs = dueMs === undefined ? firstRefreshMs : dueMs - clock.nowMs();
    await delay(Math.min(Math.max(waitMs, paceMs), refreshMs), undefined, { signal, ref: false });
    if (dueMs === undefined || clock.nowMs() - refreshedMs >= refreshMs) {
      refresh();
      refreshedMs = clock.nowMs();
    }
    const path = paths.next(clock.nowMs());
    if (path) await testPath(path, options, signal);
  }
}

/** Exported for tests. */
export async function testPath(
  path: Path,
  { paths, clock, get, findLimit, onLost }: LargeTesterOptions,
  signal: AbortSignal,
): Promise<void> {
  const large = await get(path, true, signal);
  // An agent that has stopped answers no GET: that says nothing of the size.
  const isLost = large === 'lost' && (await get(path, false, signal)) === 'answered';
  const outcome = large === 'lost' && !isLost ? 'unknown' : large;
  signal.throwIfAborted();
  const hasBecomeLost = paths.take(path, outcome, { ms: clock.nowMs(), at: clock.wallMs() });
  if (!hasBecomeLost) return;
  const limit = await findLimit(path, signal);
  if (limit) paths.setLimit(path, limit);
  onLost(path, limit);
}
