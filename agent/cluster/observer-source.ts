import type { Plane } from '../model/path.js';
import type { Row } from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import type { ObserverRow, WholeRow } from '../reports/v1/cluster-state.js';

/** What this agent knows about the other agents of the cluster, and its own row. */
export interface ObserverSource {
  /** This agent's own row, as it is now. */
  readonly ownRow: () => Row;
  /**
   * The last row of every other observer. With `isRead`, fresh rows that it rejects are left out.
   */
  readonly rows: (
    isRead?: (head: Pick<Row, 'observer' | 'omittedNodes'>) => boolean,
  ) => Iterable<ObserverRow & { readonly bodyAgeMs: number }>;
  readonly counts: () => {
    readonly fresh: number;
    readonly stale: number;
    readonly silent: number;
    readonly oldestMs: number | undefined;
  };
  /** Listed nodes that never sent a row, and for how many milliseconds they are listed. */
  readonly silent: () => Iterable<{ readonly name: string; readonly listedForMs: number }>;
  /** How long ago a peer's own GET, or its answer, last came, in milliseconds. */
  readonly heardMsAgo: (name: string) => number | undefined;
  /** An observer's whole row, if it was asked for and has come. */
  readonly wholeRow: (observer: string, plane: Plane, protocol: Protocol) => WholeRow | undefined;
}
