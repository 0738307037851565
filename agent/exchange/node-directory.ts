import type { Node } from '../model/node.js';
import type { Path, Plane } from '../model/path.js';
import { lowestHashes, maxRowZones } from './row-builder.js';

/** A listed node as the exchange sees it. */
export interface ListedNode {
  readonly name: string;
  /** A number of its own that no other node is ever given. */
  readonly number: number;
  readonly zone: string | undefined;
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
  readonly #paths = new Map<string, Path[]>();
  readonly #names = new Map<number, string>();
  #entries = new Map<string, Entry>();
  /** Host addresses only: agents send from these. */
  #byHostIp = new Map<string, string>();
  #zones: readonly string[] = [];
  #nextNumber = 0;

  /** Takes a whole new node list, and which of the paths to it came and went. */
  update(nodes: readonly Node[], { added, removed }: PathChanges, nowMs: number): void {
    const gone = new Set(removed);
    for (const { node } of removed) {
      const left = this.#paths.get(node)?.filter((path) => !gone.has(path)) ?? [];
      if (left.length > 0) this.#paths.set(node, left);
      else this.#paths.delete(node);
    }
    for (const path of added) {
      const known = this.#paths.get(path.node);
      if (known) known.push(path);
      else this.#paths.set(path.node, [path]);
    }
    const before = this.#entries;
    this.#entries = new Map();
    this.#byHostIp = new Map();
    this.#names.clear();
    for (const node of nodes) {
      const { name, host, zone } = node;
      const known = before.get(name);
      const number = known?.number ?? this.#nextNumber++;
      const listedMs = known?.listedMs ?? nowMs;
      const primary = this.#primaryPaths(node);
      this.#entries.set(name, { name, number, zone, listedMs, host, primary });
      this.#names.set(number, name);
      for (const ip of host) this.#byHostIp.set(ip, name);
    }
    const zones = new Set(nodes.map((node) => node.zone ?? ''));
    this.#zones = lowestHashes(zones, maxRowZones).sort();
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
    const paths = this.#paths.get(node.name) ?? [];
    const find = (plane: Plane) =>
      paths.find((path) => path.plane === plane && path.ip === node[plane][0]);
    const [host, endpoint] = [find('host'), find('endpoint')];
    return { ...(host && { host }), ...(endpoint && { endpoint }) };
  }
}
