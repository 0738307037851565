import type { RowSign } from '../../model/row-host.js';
import type { ObservedRow } from '../nouns/diagnosis-input.js';

/** What a node told of its own host in its last row. */
export interface SeenHost {
  readonly signs: readonly RowSign[];
  /** The ages in it count from so many milliseconds ago. */
  readonly bodyAgeMs: number;
}

/** By the number of a node. Nodes that told nothing of their host are not there. */
export type SeenHosts = ReadonlyMap<number, SeenHost>;

/** What one row tells of its observer's host; undefined where that is nothing. A stale row says nothing of now. */
export function seenHostOf({
  row,
  bodyAgeMs,
  freshness,
  tellsOfHost = true,
}: ObservedRow): SeenHost | undefined {
  if (!tellsOfHost || freshness === 'stale') return undefined;
  const { signs = [] } = row;
  return signs.length === 0 ? undefined : { signs, bodyAgeMs };
}
