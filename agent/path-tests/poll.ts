import { setTimeout as delay } from 'node:timers/promises';

/** The kernel stamps what comes, so this only decides how soon it is seen. */
const everyMs = 5;

/**
 * Looks until there is something, or the time is over.
 * @throws AbortError if the test is cancelled
 */
export async function pollFor<T>(
  look: () => T | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const found = look();
    if (found !== undefined || performance.now() >= endMs) return found;
    await delay(everyMs, undefined, { signal });
  }
}
