const listeners = new Set<() => void>();

/**
 * Calls the listener when a slice of long work begins, on each tick of the clock, and when the events of a server's
 * sockets are handled. Returns a function that removes it.
 */
export function onTurn(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Work begins in a new turn of the event loop. Other work could run before it. */
export function noteTurn(): void {
  for (const listener of listeners) listener();
}

let isEnding = false;

/**
 * A server handles an event of a socket. Listeners are called once, after all events of the present turn: these are one
 * stretch of work, however many they are.
 */
export function noteSocketEvent(): void {
  if (isEnding) return;
  isEnding = true;
  setImmediate(() => {
    isEnding = false;
    noteTurn();
  });
}
