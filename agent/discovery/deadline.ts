import { unlessAborted } from '../platform/unless-aborted.js';

export interface Deadlines {
  /** Milliseconds until the first sign of life. */
  readonly firstMs: number;
  /** Milliseconds between two signs of life. */
  readonly silenceMs: number;
  /** Milliseconds in all. */
  readonly totalMs: number;
}

/**
 * Runs a function that takes a signal and calls `alive` for each sign of life. The signal aborts
 * when the outer signal does, when a deadline passes, and when the run is over, so that nothing is
 * left behind. The result does not wait for a run that ignores its signal.
 * @throws what `run` throws; after an abort the reason of the abort
 */
export async function withDeadlines<T>(
  outer: AbortSignal,
  { firstMs, silenceMs, totalMs }: Deadlines,
  run: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const abort = (what: string, ms: number) => inner.abort(new Error(`${what} for ${ms / 1000} s`));
  let isFirst = true;
  let quiet = setTimeout(abort, firstMs, 'no answer', firstMs);
  const total = setTimeout(abort, totalMs, 'not done', totalMs);
  const alive = (): void => {
    if (!isFirst) {
      quiet.refresh();
      return;
    }
    isFirst = false;
    clearTimeout(quiet);
    quiet = setTimeout(abort, silenceMs, 'not a byte', silenceMs);
  };
  const onOuter = (): void => inner.abort(outer.reason);
  outer.addEventListener('abort', onOuter);
  try {
    outer.throwIfAborted();
    return await unlessAborted(run(inner.signal, alive), inner.signal);
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    clearTimeout(quiet);
    clearTimeout(total);
    outer.removeEventListener('abort', onOuter);
    inner.abort(new Error('over'));
  }
}
