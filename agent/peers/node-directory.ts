import { nameHash } from '../model/name-hash.js';
import type { Node } from '../model/node.js';
import { planes, type Path, type Plane } from '../model/path.js';
import { listOf } from '../model/row-coverage.js';
import { maxRowZones, type RowList } from '../model/row.js';
import { runAtOnce, type Steps } from '../platform/time-slices.js';
import { lowestHashes } from './named-nodes.js';

/** A listed node as the exchange sees it. */
export interface ListedNode {
  readonly name: string;
  /** A number of its own that no other node is ever given. */
  readonly number: number;
  /** The hash of its name. */
  readonly hash: number;
  readonly zone: string | undefined;
  /** It is expected to answer. */
  readonly isActive: boolean;
  /** When it was listed first, in monotonic milliseconds. */
  readonly listedMs: number;
}

interface Entry extends ListedNode {
  readonly host: readonly string[];
  readonly primary: Readonly<Partial<Record<Plane, Path>>>;
}

/** What a new node list changed. */
export interface PathChanges {
  readonly added: readonly Path[];
  readonly removed: readonly Path[];
}

/** The listed nodes, the owner of each address, and the primary path of each node on a plane. */
export class NodeDirectory {
  readonly #paths = new Map<string, readonly Path[]>();
  #names = new Map<number, string>();
  #entries = new Map<string, Entry>();
  /** Host addresses only: agents send from these. */
  #byHostIp = new Map<string, string>();
  #zones: readonly string[] = [];
  #list: RowList = listOf([]);
  #activePaths: Readonly<Record<Plane, number>> = { host: 0, endpoint: 0 };
  #nextNumber = 0;

  /** Takes a whole new node list, and which of the paths to it came and went. */
  update(nodes: readonly Node[], changes: PathChanges, nowMs: number): void {
    runAtOnce(this.updateInSteps(nodes, changes, nowMs));
  }

  /**
   * The same step by step; readers see the list before until the last step. Finish it before the
   * next list is given.
   */
  *updateInSteps(
    nodes: readonly Node[],
    { added, removed }: PathChanges,
    nowMs: number,
  ): Steps<void> {
    const gone = new Set(removed);
    for (const { node } of removed) {
      const left = this.#paths.get(node)?.filter((path) => !gone.has(path)) ?? [];
      if (left.length > 0) this.#paths.set(node, left);
      else this.#paths.delete(node);
      yield;
    }
    for (const path of added) {
      const known = this.#paths.get(path.node);
      // An array that grows has room for sixteen more.
      this.#paths.set(path.node, known ? [...known, path] : [path]);
      yield;
    }
    const entries = new Map<string, Entry>();
    const byHostIp = new Map<string, string>();
    const names = new Map<number, string>();
    const zones = new Set<string>();
    const active: number[] = [];
    const activePaths = { host: 0, endpoint: 0 };
    for (const node of nodes) {
      const { name, host, zone, lifecycle } = node;
      const known = this.#entries.get(name);
      const number = known?.number ?? this.#nextNumber++;
      const hash = known?.hash ?? nameHash(name);
      const isActive = lifecycle === undefined || lifecycle.phase === 'active';
      if (isActive) active.push(hash);
      const listedMs = known?.listedMs ?? nowMs;
      const primary = this.#primaryPaths(node);
      if (isActive) for (const plane of planes) activePaths[plane] += primary[plane] ? 1 : 0;
      entries.set(name, { name, number, hash, zone, isActive, listedMs, host, primary });
      names.set(number, name);
      zones.add(zone ?? '');
      for (const ip of host) byHostIp.set(ip, name);
      yield;
    }
    const list = listOf(active);
    yield;
    this.#entries = entries;
    this.#byHostIp = byHostIp;
    this.#names = names;
    this.#zones = lowestHashes(zones, maxRowZones).sort();
    this.#list = list;
    this.#activePaths = activePaths;
  }

  /** Which active nodes are listed, in short, as the own row tells it. */
  get list(): RowList {
    return this.#list;
  }

  /** How many active nodes have an address on a plane. */
  activePaths(plane: Plane): number {
    return this.#activePaths[plane];
  }

  /**
   * The zones that rows name, '' for nodes without a zone. If there are too many, every agent
   * chooses the same ones.
   */
  get zones(): readonly string[] {
    return this.#zones;
  }

  /** The zone of a node, '' if it has none; undefined if rows do not name its zone. */
  zoneOf(name: string): string | undefined {
    const zone = this.#entries.get(name)?.zone ?? '';
    return this.#zones.includes(zone) ? zone : undefined;
  }

  get size(): number {
    return this.#entries.size;
  }

  nodes(): Iterable<ListedNode> {
    return this.#entries.values();
  }

  get(name: string): ListedNode | undefined {
    return this.#entries.get(name);
  }

  /** The name of the node with that number; undefined where it is listed no more. */
  nameOf(number: number): string | undefined {
    return this.#names.get(number);
  }

  /** The host addresses of a node; none where it is not listed. */
  hostIps(name: string): readonly string[] {
    return this.#entries.get(name)?.host ?? [];
  }

  /** The node that has this host address. */
  nodeAt(hostIp: string): string | undefined {
    return this.#byHostIp.get(hostIp);
  }

  /** The path to a node's first address on a plane. */
  primaryPath(node: string, plane: Plane): Path | undefined {
    return this.#entries.get(node)?.primary[plane];
  }

  isPrimary(path: Path): boolean {
    return this.primaryPath(path.node, path.plane)?.ip === path.ip;
  }

  #primaryPaths(node: Node): Partial<Record<Plane, Path>> {
    const primary: Partial<Record<Plane, Path>> = {};
    for (const path of this.#paths.get(node.name) ?? []) {
      if (path.ip === node[path.plane][0]) primary[path.plane] = path;
    }
    return primary;
  }
}
