import { setImmediate } from 'node:timers/promises';

/** Long work that yields after each of its small steps, and returns what it comes to. */
export type Steps<T> = Generator<undefined, T>;

/** How long the event loop is kept at a stretch, in milliseconds. */
const sliceMs = 2;

/**
 * Runs work some milliseconds at a stretch, and lets all else that waits in this process have its turn in between.
 * @throws what the work throws
 */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  let endMs = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < endMs) continue;
    await setImmediate();
    endMs = performance.now() + sliceMs;
  }
}

/** Runs work in one go, where it is little or no one waits. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
