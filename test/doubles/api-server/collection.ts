export interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [more: string]: unknown;
  };
  readonly [more: string]: unknown;
}

export interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Stored;
  readonly before: Stored | undefined;
  readonly version: number;
}

/** The objects of one resource, and all that ever happened to them. */
export class Collection {
  readonly objects = new Map<string, Stored>();
  readonly events: Event[] = [];
  readonly #nextVersion: () => number;
  readonly #listeners = new Set<(event: Event) => void>();

  constructor(nextVersion: () => number) {
    this.#nextVersion = nextVersion;
  }

  put(object: Stored): void {
    const key = keyOf(object);
    const before = this.objects.get(key);
    const version = this.#nextVersion();
    const stored = withVersion(object, version);
    this.objects.set(key, stored);
    this.#tell({ type: before ? 'MODIFIED' : 'ADDED', object: stored, before, version });
  }

  remove(name: string): void {
    const key = [...this.objects.keys()].find(
      (known) => known === name || known.endsWith(`/${name}`),
    );
    const before = key === undefined ? undefined : this.objects.get(key);
    if (key === undefined || before === undefined) return;
    this.objects.delete(key);
    const version = this.#nextVersion();
    this.#tell({ type: 'DELETED', object: withVersion(before, version), before, version });
  }

  onEvent(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(event: Event): void {
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}

/** What a watch with a selector is told of an event: an object that no longer matches is gone to it. */
export function seenThrough(selector: string, event: Event): Event | undefined {
  const did = event.before !== undefined && matches(selector, event.before);
  const does = event.type !== 'DELETED' && matches(selector, event.object);
  if (does) return { ...event, type: did ? 'MODIFIED' : 'ADDED' };
  return did ? { ...event, type: 'DELETED' } : undefined;
}

/** Equality, and one set: `a=b,c=d`, or `a in (b,c)`. */
export function matches(selector: string, object: Stored): boolean {
  const [, label, values] = /^(\S+) in \(([^)]*)\)$/.exec(selector) ?? [];
  if (label !== undefined) {
    return values?.split(',').includes(object.metadata.labels?.[label] ?? '') ?? false;
  }
  return selector
    .split(',')
    .filter(Boolean)
    .every((term) => {
      const [key = '', value] = term.split('=');
      return object.metadata.labels?.[key] === value;
    });
}

function keyOf({ metadata: { namespace, name } }: Stored): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function withVersion(object: Stored, version: number): Stored {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}
