/** What a row of a Table says of its object. */
export interface Verdict {
  /** With the namespace in front, where the object has one: `namespace/name`. */
  readonly name: string;
  /** Whether the whole object is to be looked at. */
  readonly lookUp: 'no' | 'soon' | 'later';
  /** The fields of the object that are read, where its row has them all; else left out. */
  readonly object?: object;
}

/** Tells from the rows of a Table which objects have changed so that it matters. */
export interface RowJudge<T> {
  /** Whether rows have all that is read. The objects that were read whole show it. */
  readonly suffices: boolean;
  /** @returns undefined where it cannot read the row */
  judge(table: unknown, known: (name: string) => T | undefined): Verdict | undefined;
  /** Takes an object that was read whole. */
  learn(object: unknown): void;
  forget(name: string): void;
  /** All objects come anew. */
  reset(): void;
}

/** How long lookups wait for others, in milliseconds, so that they are few and those of many agents do not come at once. */
export interface LookupDelays {
  /** Of objects whose row has changed. */
  readonly soonMs: (objects: number) => number;
  /** Of objects that changed in something that their rows do not show. */
  readonly laterMs: (objects: number) => number;
}

/** Up to 5,000 agents ask two hundred times a second together, and none of them waits longer than 35 s. */
export const defaultDelays: LookupDelays = {
  soonMs: (objects) => Math.random() * Math.min(objects * 5, 25_000),
  laterMs: (objects) => 10_000 + Math.random() * Math.min(objects * 5, 25_000),
};

export interface RowLookupsOptions {
  readonly delays: LookupDelays;
  /** Takes an object as it is now; true where that is news. */
  readonly onFound: (object: unknown) => boolean;
  /** Takes the name of one that is not there; true where that is news. */
  readonly onGone: (name: string) => boolean;
}

/** Lists the objects that a query selects. */
export type ListBy = (query: Readonly<Record<string, string>>) => Promise<readonly Found[]>;

export interface Found {
  readonly name: string;
  readonly object: unknown;
}

/** A URL of so many names is short enough for every server and proxy. */
const namesPerRequest = 50;
/** The value of a label; a node's name may be longer. */
const labelValue = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

/**
 * Objects that are to be looked at. Many are asked for in one request, by the label that has a node's
 * name, as a rule; those that it does not find are asked for by name.
 */
export class RowLookups {
  readonly #options: RowLookupsOptions;
  #pending = new Set<string>();
  /** Deleted while they are looked for. */
  readonly #gone = new Set<string>();
  #dueMs = Infinity;

  constructor(options: RowLookupsOptions) {
    this.#options = options;
  }

  /** When the next are due, in monotonic milliseconds; Infinity where none are. */
  get dueMs(): number {
    return this.#dueMs;
  }

  add({ name, lookUp }: Verdict, objects: number, nowMs: number): void {
    if (lookUp === 'no') return;
    this.#gone.delete(name);
    this.#pending.add(name);
    const { soonMs, laterMs } = this.#options.delays;
    const delayMs = (lookUp === 'soon' ? soonMs : laterMs)(objects);
    this.#dueMs = Math.min(this.#dueMs, nowMs + delayMs);
  }

  /** It was deleted. */
  remove(name: string): void {
    this.#pending.delete(name);
    this.#gone.add(name);
  }

  /** They failed: the next are due then. */
  waitUntil(dueMs: number): void {
    if (this.#pending.size > 0) this.#dueMs = dueMs;
  }

  /** Everything was listed. */
  clear(): void {
    this.#pending.clear();
    this.#dueMs = Infinity;
  }

  /**
   * Looks at all that wait; true where something was news.
   * @throws what `list` throws; all of them then wait again
   */
  async run(list: ListBy): Promise<boolean> {
    const names = [...this.#pending];
    this.#gone.clear();
    this.clear();
    let isNews = false;
    const take = (name: string, object: unknown): void => {
      if (this.#gone.has(name)) return;
      const isNew =
        object === undefined ? this.#options.onGone(name) : this.#options.onFound(object);
      isNews ||= isNew;
    };
    try {
      for (let at = 0; at < names.length; at += namesPerRequest) {
        const wanted = new Set(names.slice(at, at + namesPerRequest));
        for (const query of queriesFor(wanted)) {
          for (const { name, object } of await list(query)) {
            if (wanted.delete(name)) take(name, object);
          }
        }
        for (const name of wanted) {
          const shortName = name.slice(name.indexOf('/') + 1);
          const [found] = await list({ fieldSelector: `metadata.name=${shortName}` });
          take(name, found?.object);
        }
      }
    } catch (error) {
      for (const name of names) if (!this.#gone.has(name)) this.#pending.add(name);
      this.#dueMs = 0;
      throw error;
    }
    return isNews;
  }
}

function queriesFor(names: ReadonlySet<string>): Readonly<Record<string, string>>[] {
  const values = [...names].filter((name) => labelValue.test(name));
  return values.length < 2
    ? []
    : [{ labelSelector: `kubernetes.io/hostname in (${values.join(',')})` }];
}
