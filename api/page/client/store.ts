import { useEffect, useState } from 'preact/hooks';

/** One value and those who want to know when it changes. */
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

  /** Returns what ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** What `select` picks of a store's value; renders anew when that changes. */
export function useStore<Value, Picked>(
  store: Store<Value>,
  select: (value: Value) => Picked,
): Picked {
  const [, setPicked] = useState<{ readonly of: Picked }>({ of: select(store.value) });
  useEffect(() => {
    const look = (): void => {
      setPicked((known) => {
        const of = select(store.value);
        return Object.is(of, known.of) ? known : { of };
      });
    };
    look();
    return store.subscribe(look);
    // `select` is a pure function of the value, written in place by the caller.
  }, [store]);
  return select(store.value);
}
