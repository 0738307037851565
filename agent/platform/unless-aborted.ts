/**
 * The result of what may not heed a signal: it does not wait for that once the signal aborts.
 * @throws what the promise rejects with; after an abort the reason of the abort
 */
export function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject);
  });
}
