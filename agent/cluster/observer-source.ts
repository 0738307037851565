import type { Plane } from '../model/path.js';
import type { ObservedRow, ObservedWholeRow, Row } from '../model/row.js';
import type { Protocol } from '../model/sample.js';

/** What this agent knows about the other agents of the cluster, and its own row. */
export interface ObserverSource {
  /** Builds this agent's own row anew, step by step. */
  readonly prepareOwnRow: () => Generator<undefined, void>;
  /** This agent's own row, built anew if it is older than that. */
  readonly ownRowOf: (maxAgeMs: number) => ObservedRow;
  /** The last row of every other observer. */
  readonly rows: () => Iterable<ObservedRow>;
  readonly counts: () => {
    readonly fresh: number;
    readonly stale: number;
    /** Those of the stale ones whose node is active: they are expected to tell what they see. */
    readonly missed: number;
    readonly silent: number;
    /** Silent nodes that answer this agent's GETs, but without a row. */
    readonly plain: number;
    readonly oldestMs: number | undefined;
  };
  /** Listed nodes that never sent a row, and for how many milliseconds they are listed. */
  readonly silent: () => Iterable<{ readonly name: string; readonly listedForMs: number }>;
  /** For how many milliseconds a peer has answered this agent's GETs without a row; undefined where its last answer had one. */
  readonly plainForMs: (name: string) => number | undefined;
  /** How long ago a peer's own GET, or its answer, last came, in milliseconds. */
  readonly heardMsAgo: (name: string) => number | undefined;
  /** Calls the listener when an observer's row has changed. Returns how to remove the listener. */
  readonly onRow: (listener: (row: Row, bodyAgeMs: number) => void) => () => void;
  /** An observer's whole row, if it was asked for and has come. */
  readonly wholeRow: (
    observer: string,
    plane: Plane,
    protocol: Protocol,
  ) => ObservedWholeRow | undefined;
}
