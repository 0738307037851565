const listeners = new Set<() => void>();

/** Calls the listener whenever a part of the work of this process begins. Returns a function that removes it. */
export function onTurn(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A part of the work begins: others could run before it. */
export function noteTurn(): void {
  for (const listener of listeners) listener();
}
