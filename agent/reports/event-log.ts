import type { EventHistory, KeptEvent } from '../../api/routes/v1/source.js';
import type { ChangeEvent } from '../../api/schema/v1/events.js';

type WithoutId<E> = E extends unknown
  ? { [K in keyof E as K extends 'id' ? never : K]: E[K] }
  : never;

/** One change without the id that the log gives it. */
export type Change = WithoutId<ChangeEvent>;

export interface EventLogOptions {
  /** How many events are kept. */
  readonly capacity?: number;
  /**
   * The id of the first event. Where it is higher than every id of the run before, a reader that
   * resumes after a restart learns of the gap.
   */
  readonly firstId?: number;
}

/** The last changes of an agent, each written as JSON once. Ids rise by one. */
export class EventLog implements EventHistory {
  readonly #capacity: number;
  readonly #firstId: number;
  readonly #slots: KeptEvent[] = [];
  readonly #listeners = new Set<() => void>();
  #nextId: number;
  #hasEnded = false;

  constructor({ capacity = 10_000, firstId = 1 }: EventLogOptions = {}) {
    this.#capacity = capacity;
    this.#firstId = firstId;
    this.#nextId = firstId;
  }

  get lastId(): number {
    return this.#nextId === this.#firstId ? 0 : this.#nextId - 1;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  add(change: Change): void {
    const id = this.#nextId++;
    const json = JSON.stringify({ id, ...change });
    this.#slots[(id - this.#firstId) % this.#capacity] = { id, type: change.type, json };
    this.#tell();
  }

  /** Ends every reader after it has read the kept events. */
  end(): void {
    this.#hasEnded = true;
    this.#tell();
  }

  after(id: number, limit: number): { events: readonly KeptEvent[]; hasGap: boolean } {
    const oldest = Math.max(this.#firstId, this.#nextId - this.#capacity);
    // Before id 0 nothing can be missed but the events that this run has dropped.
    const missesNone = id === 0 ? oldest === this.#firstId : id >= oldest - 1 && id <= this.lastId;
    const start = missesNone ? Math.max(id + 1, oldest) : oldest;
    const end = Math.min(this.#nextId, start + limit);
    const events: KeptEvent[] = [];
    for (let next = start; next < end; next++) {
      const event = this.#slots[(next - this.#firstId) % this.#capacity];
      if (event) events.push(event);
    }
    return { events, hasGap: !missesNone };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
