import type { Finding } from '../../agent/diagnosis/nouns/finding.js';
import type { Plane } from '../../agent/model/path.js';
import type { Random } from '../fuzz/random.js';
import type { Trouble } from './trouble.js';

/** The nodes of a simulated cluster: their names and zones. */
export interface Layout {
  readonly names: readonly string[];
  readonly zoneOf: readonly number[];
  readonly zones: readonly string[];
}

/** The agent that runs the diagnosis, and the observers whose fresh rows it has. */
export interface View {
  readonly localName: string;
  readonly hasRow: (name: string | undefined) => boolean;
  /** Echoes fail everywhere, so of a node whose servers do not answer nobody knows whether it is up. Missing: they do not. */
  readonly failEchoesAnyway?: boolean;
  /** What names the fault as it was made is right, whether rows tell so or not. */
  readonly isLenient?: boolean;
}

/** What a fault is about. Nodes and zones are numbers of the layout. */
export type Subject =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'pair'; readonly from: number; readonly to: number }
  | { readonly type: 'zones'; readonly from: number; readonly to: number }
  | { readonly type: 'zone'; readonly zone: number }
  | { readonly type: 'cluster' };

/** A fault in the network, and the finding that should name it. */
export interface Fault {
  /** The description in the table of results. */
  readonly what: string;
  /** Several faults may share one trouble, if many nodes have it at once. */
  readonly trouble: Trouble;
  /**
   * Whether it must be found. A node without an agent may be meant so, and of many dead nodes each
   * counts although a row names 64. Missing: it must be found where some row shows it.
   */
  readonly isExpected?: boolean;
  /** The affected nodes; none where it is the whole cluster. */
  readonly nodes: readonly number[];
  /** All nodes with one value of a label have it. */
  readonly isOfGroup?: boolean;
  /** All nodes with two values of two labels have it. */
  readonly isOfTwoValues?: boolean;
  readonly isNamedBy: (finding: Finding, view: View) => boolean;
}

/** What a finding must say of a fault, by the names of the layout. */
export interface Expected {
  readonly kind: Finding['kind'];
  readonly node?: string;
  readonly pair?: readonly [string, string];
  readonly zones?: readonly string[];
  readonly plane?: Plane;
  readonly direction?: NonNullable<Finding['direction']>;
  readonly local?: true;
}

/** What is lost where not all is. */
export type Losing = 'packets' | 'flows';

/** One entry of the closed list of faults. */
export interface FaultKind {
  readonly what: string;
  readonly on: Subject['type'];
  /** It loses a share of the packets at random, or all of a share of the flows. */
  readonly loses?: Losing | undefined;
  /** The fault on this subject, which must be of the type `on`. */
  readonly make: (layout: Layout, subject: Subject, lossShare: number) => Fault;
  /** What a finding about this subject must say. */
  readonly expected: (layout: Layout, subject: Subject) => Expected;
  /** What the agent of the node says of itself instead. */
  readonly expectedOnItself?: (layout: Layout, subject: Subject) => Expected;
}

/** A random fault of a kind; undefined if the cluster is too small for it. */
export function randomFault(
  kind: FaultKind,
  layout: Layout,
  random: Random,
  free: (node: number) => boolean,
): Fault | undefined {
  const lossShare = randomShare(kind, random);
  const subject = randomSubject(kind.on, layout, random, free);
  return subject && kind.make(layout, subject, lossShare);
}

/** The share that is lost: one of two to sixteen equal paths, or a few percent of the packets. */
function randomShare({ loses }: FaultKind, random: Random): number {
  if (loses === undefined) return 0;
  return loses === 'flows' ? 1 / (2 + random.below(15)) : 0.03 + 0.07 * random.next();
}

function randomSubject(
  type: Subject['type'],
  layout: Layout,
  random: Random,
  free: (node: number) => boolean,
): Subject | undefined {
  const { names, zones } = layout;
  switch (type) {
    case 'cluster':
      return { type };
    case 'node': {
      const node = randomNode(layout, random, free);
      return node === undefined ? undefined : { type, node };
    }
    case 'pair': {
      if (names.length < 4) return undefined;
      const from = randomNode(layout, random, free);
      const to = randomNode(layout, random, (node) => free(node) && node !== from);
      return from === undefined || to === undefined ? undefined : { type, from, to };
    }
    case 'zones': {
      if (zones.length < 2) return undefined;
      const from = random.below(zones.length);
      const to = (from + 1 + random.below(zones.length - 1)) % zones.length;
      // A zone of one node cannot be told from that node.
      if (sizeOf(layout, from) < 2 || sizeOf(layout, to) < 2) return undefined;
      return { type, from, to };
    }
    case 'zone': {
      if (zones.length < 3) return undefined;
      const zone = random.below(zones.length);
      return sizeOf(layout, zone) < 2 ? undefined : { type, zone };
    }
  }
}

function randomNode({ names }: Layout, random: Random, free: (node: number) => boolean) {
  for (let tries = 0; tries < 20; tries++) {
    const node = random.below(names.length);
    if (free(node)) return node;
  }
  return undefined;
}

function sizeOf({ zoneOf }: Layout, zone: number): number {
  return zoneOf.filter((of) => of === zone).length;
}

/** The nodes that a subject has; none for the whole cluster. */
export function nodesOf({ zoneOf }: Layout, subject: Subject): readonly number[] {
  switch (subject.type) {
    case 'cluster':
      return [];
    case 'node':
      return [subject.node];
    case 'pair':
      return [subject.from, subject.to];
    case 'zones':
      return numbersWhere(zoneOf, (zone) => zone === subject.from || zone === subject.to);
    case 'zone':
      return numbersWhere(zoneOf, (zone) => zone === subject.zone);
  }
}

function numbersWhere(zoneOf: readonly number[], matches: (zone: number) => boolean): number[] {
  return zoneOf.flatMap((zone, node) => (matches(zone) ? [node] : []));
}
