import type { Node } from '../discovery/node-list.js';
import type { Protocol, Sample } from '../probing/sample.js';
import { judge, unjudged, type Judgement } from './judge.js';
import { pathKey, pathsOf, type Path } from './path.js';
import type { NodeView, PathView, Snapshot } from './snapshot.js';

interface NodeEntry {
  readonly name: string;
  readonly paths: readonly PathEntry[];
  /** Made when a snapshot needs it; undefined when a sample came since. */
  view: NodeView | undefined;
}

interface PathEntry extends Record<Protocol, Judgement> {
  readonly path: Path;
}

/** A path that changed its state. */
export interface Transition {
  readonly path: Path;
  readonly protocol: Protocol;
  readonly before: Judgement;
  readonly after: Judgement;
}

export interface ResultStoreOptions {
  readonly thresholds: Readonly<Record<Protocol, number>>;
  readonly onTransition?: (transition: Transition) => void;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** What a new node list changed. */
export interface PathChanges {
  readonly added: readonly Path[];
  readonly removed: readonly Path[];
}

/** Everything the agent knows of its paths. Readers take snapshots of it and nothing else. */
export class ResultStore {
  readonly #thresholds: Readonly<Record<Protocol, number>>;
  readonly #onTransition: (transition: Transition) => void;
  readonly #now: () => number;
  readonly #entries = new Map<Path, { readonly entry: PathEntry; readonly node: NodeEntry }>();
  #nodes: readonly NodeEntry[] = [];
  #snapshot: Snapshot;
  #changed = false;

  constructor({ thresholds, onTransition = () => undefined, now = Date.now }: ResultStoreOptions) {
    this.#thresholds = thresholds;
    this.#onTransition = onTransition;
    this.#now = now;
    this.#snapshot = { generation: 0, at: now(), nodes: [] };
  }

  /** Takes a whole new node list; what is known of paths that stay listed is kept. */
  setNodes(nodes: readonly Node[]): PathChanges {
    const before = new Map([...this.#entries].map(([path, { entry }]) => [pathKey(path), entry]));
    this.#entries.clear();
    const added: Path[] = [];
    const take = (path: Path): PathEntry => {
      const key = pathKey(path);
      const known = before.get(key);
      if (known) {
        before.delete(key);
        return known;
      }
      added.push(path);
      return { path, icmp: unjudged(this.#now()), http: unjudged(this.#now()) };
    };
    this.#nodes = nodes.map((node) => {
      const paths = pathsOf(node).map(take);
      const nodeEntry: NodeEntry = { name: node.name, paths, view: undefined };
      for (const entry of paths) this.#entries.set(entry.path, { entry, node: nodeEntry });
      return nodeEntry;
    });
    this.#changed = true;
    return { added, removed: [...before.values()].map(({ path }) => path) };
  }

  /** Judges one sample. A path no longer listed is not judged: undefined. */
  record(path: Path, protocol: Protocol, sample: Sample): Judgement | undefined {
    const known = this.#entries.get(path);
    if (!known) return undefined;
    const before = known.entry[protocol];
    const after = judge(before, sample, this.#thresholds[protocol]);
    known.entry[protocol] = after;
    known.node.view = undefined;
    this.#changed = true;
    if (after.state !== before.state) this.#onTransition({ path, protocol, before, after });
    return after;
  }

  /** What is known now; the same object until something changes. */
  snapshot(): Snapshot {
    if (this.#changed) {
      this.#changed = false;
      const generation = this.#snapshot.generation + 1;
      const nodes = this.#nodes.map((node) => (node.view ??= viewOf(node)));
      this.#snapshot = Object.freeze({ generation, at: this.#now(), nodes: Object.freeze(nodes) });
    }
    return this.#snapshot;
  }
}

function viewOf({ name, paths }: NodeEntry): NodeView {
  const plane = (wanted: Path['plane']) =>
    paths
      .filter(({ path }) => path.plane === wanted)
      .map(({ path: { ip }, icmp, http }): PathView => Object.freeze({ ip, icmp, http }));
  return Object.freeze({ name, host: plane('host'), endpoint: plane('endpoint') });
}
