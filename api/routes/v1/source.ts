import type { Findings } from '../../schema/v1/findings.js';
import type { NodeMatrix, ZoneMatrix } from '../../schema/v1/matrix.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import type { MatrixQuery, NodesQuery } from '../../schema/v1/queries.js';
import type { Summary } from '../../schema/v1/summary.js';

/** Where the answers of `/v1` come from. The bodies are sent as they are. */
export interface V1Source {
  readonly summary: () => Eventual<Summary>;
  readonly findings: () => Eventual<Findings>;
  /** The matrix by zone or by node, as the query says. Nodes that are not known are left out. */
  readonly matrix: (query: MatrixQuery) => Eventual<ZoneMatrix | NodeMatrix>;
  /** The nodes that match, in the order of their names by code unit. */
  readonly nodes: (query: NodeFilter) => Eventual<readonly NodeEntry[]>;
  /** One node by its full name, or by its name in the agent's own cluster. */
  readonly node: (name: string) => Eventual<NodeEntry | undefined>;
  readonly events: EventHistory;
}

/** A body of thousands of nodes is prepared in slices, so it may come later. */
export type Eventual<Body> = Body | Promise<Body>;

/** Which nodes are asked for: those past `afterName`, and at most `limit` of them. */
export interface NodeFilter extends Pick<NodesQuery, 'state' | 'zone' | 'name'> {
  readonly afterName: string | undefined;
  readonly limit: number;
}

/** One change, written once for all readers. `json` has no line break. */
export interface KeptEvent {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

/** The last changes. Readers hold a position in it and nothing else. */
export interface EventHistory {
  /** The id of the newest event; 0 before the first. */
  readonly lastId: number;
  /** True once no more events will come, because the agent stops. */
  readonly hasEnded: boolean;
  /**
   * The kept events with a higher id, the oldest first, at most `limit` of them. `hasGap` is true
   * if events between `id` and the first of them are no longer kept, or if `id` is none of ours.
   */
  readonly after: (
    id: number,
    limit: number,
  ) => { readonly events: readonly KeptEvent[]; readonly hasGap: boolean };
  /** Calls back after each new event and at the end. Returns a function that stops that. */
  readonly subscribe: (listener: () => void) => () => void;
}
