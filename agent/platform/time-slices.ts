import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.js';
import { noteTurn } from './loop-turns.js';

/** Long work that yields after each of its small steps, and returns its result. */
export type Steps<T> = Generator<undefined, T>;

/**
 * How long the work keeps the event loop at a stretch, in milliseconds. An answer of megabytes takes
 * some twenty turns of the loop, and meanwhile each turn takes this much longer. Shorter slices cost
 * nothing that can be measured.
 */
const leastSliceMs = 0.25;
/**
 * Where each turn of the loop takes long, as findings are made in slices of four milliseconds, the work keeps it for this
 * share of what the others take: seconds of work would else need minutes.
 */
const shareOfOthers = 0.25;
const mostSliceMs = 2;

/**
 * Runs work for some milliseconds at a time. In between, everything else in this process has its
 * turn.
 * @throws what the work throws
 */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  let endMs = performance.now() + leastSliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const yieldedMs = performance.now();
    if (yieldedMs < endMs) continue;
    await setImmediate();
    noteTurn();
    const nowMs = performance.now();
    const wantedMs = Math.max(shareOfOthers * (nowMs - yieldedMs), leastSliceMs);
    endMs = nowMs + Math.min(wantedMs, mostSliceMs);
  }
}

/**
 * Runs work for `sliceMs` milliseconds at a time by that clock, the first time at once, and calls back with
 * its result. Returns a function that ends it.
 * @throws what the work throws, to the caller or to the clock
 */
export function runOnClock<T>(
  steps: Generator<unknown, T>,
  { clock, sliceMs }: { readonly clock: Clock; readonly sliceMs: number },
  onDone: (result: T) => void,
): () => void {
  // The caller may keep the function that ends it. Work that is done, and all that it read, must not be kept with it.
  let work: Generator<unknown, T> | undefined = steps;
  let cancel = (): void => undefined;
  const run = (): void => {
    const untilMs = clock.nowMs() + sliceMs;
    while (work) {
      const step = work.next();
      if (step.done === true) {
        work = undefined;
        onDone(step.value);
      } else if (clock.nowMs() >= untilMs) {
        cancel = clock.after(0, () => {
          noteTurn();
          run();
        });
        return;
      }
    }
  };
  run();
  return () => cancel();
}

/** Runs work in one go, for work that is short or that nothing waits behind. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
