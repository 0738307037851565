import { setTimeout as delay } from 'node:timers/promises';

/** The kernel stamps what comes, so this only decides how soon it is seen. */
const everyMs = 5;

/**
 * Reads until there is something, or the time is over.
 * @throws AbortError if the test is cancelled
 */
export async function pollFor<T>(
  read: () => T | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const found = read();
    if (found !== undefined || performance.now() >= endMs) return found;
    await delay(everyMs, undefined, { signal });
  }
}
