import type { Plane } from '../model/path.js';
import type { Row } from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import type { ObserverRow, WholeRow } from '../reports/v1/cluster-state.js';

/** What this agent knows of the cluster's other agents, and what it says of itself. */
export interface ObserverSource {
  /** This agent's own row, as it is now. */
  readonly ownRow: () => Row;
  /** The last row of every other observer; of the fresh ones only those that are to be read. */
  readonly rows: (
    isRead?: (head: Pick<Row, 'observer' | 'omittedNodes'>) => boolean,
  ) => Iterable<ObserverRow & { readonly bodyAgeMs: number }>;
  readonly counts: () => {
    readonly fresh: number;
    readonly stale: number;
    readonly silent: number;
    readonly oldestMs: number | undefined;
  };
  /** Listed nodes that never sent a row, with the time since they are listed, in milliseconds. */
  readonly silent: () => Iterable<{ readonly name: string; readonly listedForMs: number }>;
  /** How long ago a peer's own GET, or its answer, last came, in milliseconds. */
  readonly heardMsAgo: (name: string) => number | undefined;
  /** An observer's whole row, if it was asked for and has come. */
  readonly wholeRow: (observer: string, plane: Plane, protocol: Protocol) => WholeRow | undefined;
}
