import { messageOf } from './errors.js';

/**
 * Returns a function that runs an action with each value, one after the other. Of the values that
 * arrive while it runs, only the last is used. `onError` is called if the action rejects, which is
 * a bug; a value that waits is used all the same.
 */
export function latestOnly<T>(
  action: (value: T) => Promise<void>,
  onError: (error: Error) => void,
): (value: T) => void {
  let waiting: { readonly value: T } | undefined;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    for (let next = waiting; next; next = waiting) {
      waiting = undefined;
      try {
        await action(next.value);
      } catch (error) {
        onError(error instanceof Error ? error : new Error(messageOf(error)));
      }
    }
    // Nothing can come between the last look at what waits and this.
    isRunning = false;
  };
  return (value) => {
    waiting = { value };
    if (!isRunning) void run();
  };
}
