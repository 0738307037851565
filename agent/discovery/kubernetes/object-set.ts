import { readKey } from './watch-event.js';

/** The projections of a collection's objects, and whether a new one says anything new. */
export class ObjectSet<T> {
  readonly #project: (object: unknown) => T | undefined;
  readonly #values = new Map<string, T>();
  readonly #texts = new Map<string, string>();

  constructor(project: (object: unknown) => T | undefined) {
    this.#project = project;
  }

  /** Live: it changes with the set. */
  get values(): ReadonlyMap<string, T> {
    return this.#values;
  }

  /**
   * Takes an object as it is now; true where its projection differs from before.
   * @throws MalformedAnswer where it has no name
   */
  put(object: unknown): boolean {
    const key = readKey(object);
    const value = this.#project(object);
    if (value === undefined) return this.#delete(key);
    const text = JSON.stringify(value);
    if (this.#texts.get(key) === text) return false;
    this.#texts.set(key, text);
    this.#values.set(key, value);
    return true;
  }

  /** Takes an object away; true where it was there. */
  remove(object: unknown): boolean {
    return this.#delete(readKey(object));
  }

  hasSame(other: ObjectSet<T>): boolean {
    if (this.#texts.size !== other.#texts.size) return false;
    return [...this.#texts].every(([key, text]) => other.#texts.get(key) === text);
  }

  #delete(key: string): boolean {
    this.#texts.delete(key);
    return this.#values.delete(key);
  }
}
