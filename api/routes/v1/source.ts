import type { Findings } from '../../schema/v1/findings.js';
import type { NodeMatrix, ZoneMatrix } from '../../schema/v1/matrix.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import type { Notices } from '../../schema/v1/notices.js';
import type { MatrixQuery, NodesQuery, TargetMatrixQuery } from '../../schema/v1/queries.js';
import type { Summary } from '../../schema/v1/summary.js';
import type { TargetDetail, Targets } from '../../schema/v1/targets.js';

/** The source of the answers of `/v1`. The bodies are sent as they are. */
export interface V1Source {
  readonly summary: () => Eventual<Summary>;
  readonly findings: () => Eventual<Findings>;
  /** The matrix by zone, by node or by a label, as the query says. It leaves out unknown nodes. */
  readonly matrix: (
    query: MatrixQuery,
  ) => Eventual<ZoneMatrix | NodeMatrix | UnknownZone | UnknownLabel | TooManyValues>;
  /** The nodes that match, ordered by the UTF-16 code units of their names. */
  readonly nodes: (query: NodeFilter) => Eventual<readonly NodeEntry[] | UnknownZone>;
  /** One node by its full name, or by its name in the agent's own cluster. */
  readonly node: (name: string) => Eventual<NodeEntry | UnknownName>;
  readonly targets: () => Eventual<Targets>;
  readonly target: (name: string) => Eventual<TargetDetail | UnknownName>;
  /** The observers, or their zones, and how they reach one target from each plane. */
  readonly targetMatrix: (
    query: TargetMatrixQuery,
  ) => Eventual<ZoneMatrix | NodeMatrix | UnknownName | UnknownZone>;
  /** What was told of findings, and to whom; left out, nobody is told. */
  readonly notices?: () => Eventual<Notices>;
  readonly events: EventHistory;
}

/** There is no node or target of that name. */
export interface UnknownName {
  /** The name that was probably meant. */
  readonly nearest: string | undefined;
}

/** There is no zone of that name. */
export interface UnknownZone extends UnknownName {
  readonly zone: string;
}

/** Nodes are not grouped by this label. */
export interface UnknownLabel extends UnknownName {
  readonly label: string;
}

/** Nodes have more values of this label than a matrix shows. */
export interface TooManyValues {
  readonly values: number;
  readonly mostValues: number;
}

/** A body of thousands of nodes is prepared in slices, so it may come later. */
export type Eventual<Body> = Body | Promise<Body>;

/** A filter of nodes: those past `afterName`, at most `limit` of them. */
export interface NodeFilter extends Pick<NodesQuery, 'state' | 'zone' | 'name' | 'shows'> {
  readonly afterName: string | undefined;
  readonly limit: number;
}

/** One change. It is written once for all readers, and `json` has no line break. */
export interface KeptEvent {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

/** The last changes. A reader holds only a position in them. */
export interface EventHistory {
  /** The id of the newest event; 0 before the first. */
  readonly lastId: number;
  /** True once no more events will come, because the agent stops. */
  readonly hasEnded: boolean;
  /**
   * The kept events with a higher id, the oldest first, at most `limit` of them. `hasGap` is true
   * if events right after `id` are no longer kept. It is also true if `id` was never an id of this
   * agent.
   */
  readonly after: (
    id: number,
    limit: number,
  ) => { readonly events: readonly KeptEvent[]; readonly hasGap: boolean };
  /**
   * Calls `listener` after each new event and at the end. Returns a function that unsubscribes it.
   */
  readonly subscribe: (listener: () => void) => () => void;
}
