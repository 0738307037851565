import type { Steps } from '../platform/time-slices.js';
import type { Lifecycle, Node } from '../model/node.js';
import type { PathState } from '../model/path-state.js';
import { pathKey, pathsOf, type Path, type Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import type { SeriesSummary } from './probe-history.js';
import type { NodeView } from './snapshot.js';

/** A listed node, and what is known of it. */
export interface NodeEntry {
  readonly name: string;
  readonly lifecycle: Lifecycle | undefined;
  /** Those of a plane follow one another, its primary one first. */
  readonly paths: readonly PathEntry[];
  /** Made when a snapshot needs it; undefined when a sample came since. */
  view: NodeView | undefined;
  /** The oldest answer by which a path is reachable in that view, in monotonic milliseconds. */
  oldestAnswerMs: number;
}

/** One path of a node, and what is known of it by each protocol. */
export interface PathEntry extends Record<Protocol, SeriesEntry> {
  readonly path: Path;
  /** Distinguishes it from the same path of an earlier node of that name. */
  readonly key: string;
  /** Undefined where it is not listed. */
  node: NodeEntry | undefined;
}

/** What is known of a path by one protocol. */
export interface SeriesEntry {
  /** Its number in the history. */
  readonly series: number;
  state: PathState;
  /** Made when a snapshot needs it; undefined when a sample came since. */
  summary: SeriesSummary | undefined;
}

/** What a new node list changed. */
export interface EntryChanges {
  readonly added: readonly Path[];
  /** They have no node any more. They stay known until they are forgotten. */
  readonly removed: readonly PathEntry[];
}

/** Some tenths of a millisecond of work. */
const nodesPerStep = 100;

/** The nodes of the last list with their paths. What is known of paths that stay listed is kept. */
export class ListedNodes {
  readonly #entries = new Map<Path, PathEntry>();
  #nodes: ReadonlyMap<string, NodeEntry> = new Map();

  /**
   * Takes a whole new list in steps. It takes effect all at once, in the last one.
   * @param open makes what is known of a new path by one protocol
   */
  *take(nodes: readonly Node[], open: () => SeriesEntry): Steps<EntryChanges> {
    const left = new Map<string, PathEntry>();
    for (const entry of this.#entries.values()) {
      left.set(entry.key, entry);
      yield;
    }
    const added: Path[] = [];
    const take = (path: Path, incarnation: string | undefined): PathEntry => {
      const key = pathKey(path, incarnation);
      const known = left.get(key);
      if (known) {
        left.delete(key);
        return known;
      }
      const entry: PathEntry = { path, key, node: undefined, icmp: open(), http: open() };
      added.push(path);
      this.#entries.set(path, entry);
      return entry;
    };
    const listed = new Map<string, NodeEntry>();
    for (const node of nodes) {
      const { name, incarnation, lifecycle } = node;
      const paths = pathsOf(node).map((path) => take(path, incarnation));
      const known = paths[0]?.node;
      const isKnown = known !== undefined && isSame(known, lifecycle, paths);
      listed.set(
        name,
        isKnown ? known : { name, lifecycle, paths, view: undefined, oldestAnswerMs: Infinity },
      );
      yield;
    }
    this.#nodes = listed;
    for (const node of listed.values()) for (const entry of node.paths) entry.node = node;
    const removed = [...left.values()];
    for (const entry of removed) entry.node = undefined;
    return { added, removed };
  }

  /** Forgets a path that is not listed any more. */
  forget({ path }: PathEntry): void {
    this.#entries.delete(path);
  }

  /** How many paths are known. */
  get pathCount(): number {
    return this.#entries.size;
  }

  /** What is known of a path; it has no node where it is not listed any more. */
  entryOf(path: Path): PathEntry | undefined {
    return this.#entries.get(path);
  }

  /** All paths that are known. */
  entries(): Iterable<PathEntry> {
    return this.#entries.values();
  }

  /** The node of a name; undefined where none is listed. */
  nodeOf(name: string): NodeEntry | undefined {
    return this.#nodes.get(name);
  }

  /** The listed nodes, in the order of the list. */
  nodes(): Iterable<NodeEntry> {
    return this.#nodes.values();
  }

  /** The primary path of a node on a plane. */
  primaryOf(name: string, plane: Plane): PathEntry | undefined {
    return this.#nodes.get(name)?.paths.find(({ path }) => path.plane === plane);
  }

  /** Calls back for each listed path of an active node, with the primary one of its node and plane, in steps of some nodes. */
  *visitActive(visit: (entry: PathEntry, primary: PathEntry) => void): Steps<void> {
    let visited = 0;
    for (const node of this.#nodes.values()) {
      if (visited++ % nodesPerStep === 0) yield;
      if (!isActive(node)) continue;
      let primary: PathEntry | undefined;
      for (const entry of node.paths) {
        if (entry.path.plane !== primary?.path.plane) primary = entry;
        if (entry.node) visit(entry, primary);
      }
    }
  }
}

/** Whether a node is expected to answer. */
export function isActive({ lifecycle }: NodeEntry): boolean {
  return lifecycle === undefined || lifecycle.phase === 'active';
}

/** Whether a listed node is unchanged, so that its views are still valid. */
function isSame(
  known: NodeEntry,
  lifecycle: Lifecycle | undefined,
  paths: readonly PathEntry[],
): boolean {
  return (
    known.lifecycle?.phase === lifecycle?.phase &&
    known.lifecycle?.reason === lifecycle?.reason &&
    known.paths.length === paths.length &&
    known.paths.every((entry, index) => entry === paths[index])
  );
}
