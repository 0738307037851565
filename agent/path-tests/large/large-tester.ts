import type { Path } from '../../model/path.js';
import type { Clock } from '../../platform/clock.js';
import type { GetOutcome } from './large-get.js';
import type { LargeLimit, LargePaths } from './large-paths.js';

/** At most one test begins in this time. */
const paceMs = 1000;
/** A lost GET takes seconds, and others go on meanwhile. */
const mostAtOnce = 8;
/** The list of nodes is looked at as often, where there is none yet more often. */
const refreshMs = 30_000;
const firstRefreshMs = 5000;

export interface LargeTesterOptions {
  readonly paths: LargePaths;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs' | 'after'>;
  /** Sends one GET with so many bytes each way. */
  readonly get: (path: Path, isLarge: boolean, signal: AbortSignal) => Promise<GetOutcome>;
  /** Finds the largest packet that passes; undefined where that cannot be found. */
  readonly findLimit: (path: Path, signal: AbortSignal) => Promise<LargeLimit | undefined>;
  /** Brings the list of paths up to date. It is called twice a minute. */
  readonly refresh: () => Promise<void>;
  /** Large packets are lost on a path. Its limit is not known yet. */
  readonly onLost: (path: Path) => void;
  /** The limit of a path on which they are lost was looked for. */
  readonly onLimit: (path: Path, limit: LargeLimit | undefined) => void;
  /** Large packets pass on a path on which they were lost. */
  readonly onMended: (path: Path) => void;
}

/** A tester that runs. */
export interface LargeTester {
  /** A path may be due earlier than it was. */
  wake(): void;
  stop(): void;
}

/** Tests path after path with large GETs, until it is stopped. */
export function startLargeTester(options: LargeTesterOptions): LargeTester {
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = (): void => undefined;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = options.clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  void run(options, { sleep, wake: () => wake() }, signal);
  return {
    wake: () => wake(),
    stop() {
      stopping.abort();
      wake();
    },
  };
}

interface Waiting {
  readonly sleep: (ms: number) => Promise<void>;
  readonly wake: () => void;
}

async function run(
  options: LargeTesterOptions,
  { sleep, wake }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const { paths, clock, refresh } = options;
  let [refreshedMs, begunMs] = [-Infinity, -Infinity];
  let running = 0;
  for (;;) {
    const dueMs = paths.nextDueMs();
    const atMs = Math.max(dueMs ?? clock.nowMs() + firstRefreshMs, begunMs + paceMs);
    const waitMs = running >= mostAtOnce ? paceMs : atMs - clock.nowMs();
    await sleep(Math.min(Math.max(waitMs, 0), refreshMs));
    if (signal.aborted) return;
    if (dueMs === undefined || clock.nowMs() - refreshedMs >= refreshMs) {
      await refresh();
      refreshedMs = clock.nowMs();
    }
    if (running >= mostAtOnce || clock.nowMs() < begunMs + paceMs) continue;
    const path = paths.next(clock.nowMs());
    if (!path) continue;
    begunMs = clock.nowMs();
    running++;
    void testPath(path, options, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        running--;
        // The same path may be due again soon.
        wake();
      });
  }
}

/** Exported for tests. */
export async function testPath(
  path: Path,
  { paths, clock, get, findLimit, onLost, onLimit, onMended }: LargeTesterOptions,
  signal: AbortSignal,
): Promise<void> {
  const large = await get(path, true, signal);
  const isLost = large === 'lost-there' || large === 'lost-back';
  // An agent that has stopped answers no GET: that says nothing of the size.
  const passesSmall = isLost && (await get(path, false, signal)) === 'answered';
  const outcome = isLost && !passesSmall ? 'unknown' : large;
  signal.throwIfAborted();
  const before = paths.of(path)?.state;
  const changed = paths.take(path, outcome, { ms: clock.nowMs(), at: clock.wallMs() });
  if (before === 'lost' && changed !== undefined) onMended(path);
  if (changed !== 'lost') return;
  onLost(path);
  const limit = await findLimit(path, signal);
  if (limit) paths.setLimit(path, limit);
  onLimit(path, limit);
}
