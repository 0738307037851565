import type { TraceLine } from '../../../api/schema/v1/path-tests.js';

/** One hop that answered. */
export interface TracedHop {
  readonly ttl: number;
  readonly address: string;
  readonly rttNs: number;
}

/** The hops of one path that answered, and whether its end did. */
export interface PathTrace {
  readonly hops: readonly TracedHop[];
  readonly isReached: boolean;
}

/** Where a path that fails leaves one that works. */
export interface Parting {
  /** The last hop that answers on both. */
  readonly after: TracedHop;
  /** The next hop of the path that works, of those that answer. */
  readonly next: TracedHop;
}

/** Collects a trace; undefined where it could not be made, or no hop answered. */
export async function collectTrace(
  lines: AsyncIterable<TraceLine>,
): Promise<PathTrace | undefined> {
  const hops: TracedHop[] = [];
  for await (const line of lines) {
    if (line.type === 'hop' && line.address !== undefined && line.rttNs !== undefined) {
      hops.push({ ttl: line.ttl, address: line.address, rttNs: line.rttNs });
    }
    if (line.type === 'end')
      return hops.length === 0 ? undefined : { hops, isReached: line.isReached };
  }
  return undefined;
}

/**
 * Where a path that is not reached leaves one that is: undefined where they have no hop in common, or it may be any
 * of several: hops of the working path answer nothing where the failing one still does.
 */
export function partingOf(failing: PathTrace, working: PathTrace): Parting | undefined {
  if (failing.isReached || !working.isReached) return undefined;
  const addressAt = new Map(failing.hops.map(({ ttl, address }) => [ttl, address]));
  const after = working.hops.filter(({ ttl, address }) => addressAt.get(ttl) === address).at(-1);
  const next = after && working.hops.find(({ ttl }) => ttl > after.ttl);
  if (!after || !next) return undefined;
  const isSure = next.ttl === after.ttl + 1 || failing.hops.at(-1)?.ttl === after.ttl;
  return isSure ? { after, next } : undefined;
}
