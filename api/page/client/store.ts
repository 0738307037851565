import { useEffect, useState } from 'preact/hooks';

/** Holds one value and calls its listeners when the value changes. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Returns what `select` picks of a store's value. The view renders again when that changes. */
export function useStore<Value, Picked>(
  store: Store<Value>,
  select: (value: Value) => Picked,
): Picked {
  const [, setPicked] = useState<{ readonly of: Picked }>({ of: select(store.value) });
  useEffect(() => {
    const poll = (): void => {
      setPicked((known) => {
        const of = select(store.value);
        return Object.is(of, known.of) ? known : { of };
      });
    };
    poll();
    return store.subscribe(poll);
    // Callers write `select` in place, so it is a new function in every render. It is pure, so it
    // need not be a dependency.
  }, [store]);
  return select(store.value);
}
