import type { RowChange, RowSign } from '../../model/row-host.js';
import type { ObservedRow } from '../nouns/diagnosis-input.js';

/** What a node told of its own host in its last row. */
export interface SeenHost {
  readonly signs: readonly RowSign[];
  /** Whether its row is stale: then the signs are those of its last one, and may have ended. */
  readonly isStale: boolean;
  readonly changes: readonly RowChange[];
  /** The ages in it count from so many milliseconds ago. */
  readonly bodyAgeMs: number;
}

/** What one row tells of its observer's host; undefined where that is nothing. */
export function seenHostOf({
  row,
  bodyAgeMs,
  freshness,
  tellsOfHost = true,
}: ObservedRow): SeenHost | undefined {
  if (!tellsOfHost) return undefined;
  const { signs = [], changes = [] } = row;
  if (signs.length + changes.length === 0) return undefined;
  return { signs, isStale: freshness === 'stale', changes, bodyAgeMs };
}
