const listeners = new Set<() => void>();

/**
 * Calls the listener when a slice of long work begins, and on each tick of the clock. Returns a function that
 * removes it.
 */
export function onTurn(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Work begins in a new turn of the event loop. Other work could run before it. */
export function noteTurn(): void {
  for (const listener of listeners) listener();
}
