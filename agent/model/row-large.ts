import { tunnelKinds, type TunnelKind } from '../../api/schema/v1/tunnel-overheads.js';
import type { Plane } from './path.js';

export { tunnelKinds, type TunnelKind };

/** A row that is sent tells of at most so many paths on which large packets are lost, and on which they pass. */
export const maxLargeLosses = 64;
export const maxLargePasses = 64;

/** No IP packet is larger, and what a smaller limit would let through no small probe would pass (RFC 791). */
export const [leastLimitBytes, mostLimitBytes] = [68, 65_535];

/** The largest packet that passes a path, as its observer found it. */
export interface RowLargeLimit {
  readonly bytes: number;
  /** What the interface of the observer takes. */
  readonly interfaceBytes: number;
  /** The address of the router that says so; absent: none does. */
  readonly saidBy?: string;
  /** The kinds of tunnels of which the observer's host has devices; absent: none, or it is not known. */
  readonly tunnels?: readonly TunnelKind[];
}

/** A path on which large packets are lost and small ones pass: the primary address of a node on a plane. */
export interface RowLargeLoss {
  readonly node: string;
  readonly plane: Plane;
  /** Seconds since that was judged. */
  readonly ageSeconds: number;
  /** The request came through and the answer did not. */
  readonly isBack?: true;
  /** Absent where it was not found. */
  readonly limit?: RowLargeLimit;
}

/** A path on which large packets passed, both ways. */
export interface RowLargePass {
  readonly node: string;
  readonly plane: Plane;
  /** Seconds since they did. */
  readonly ageSeconds: number;
}

/**
 * What an observer knows of large packets. What passes is told while large packets are lost anywhere: it is what
 * else was tested since, so that a reader knows how far the trouble goes.
 */
export interface RowLarge {
  readonly lost: readonly RowLargeLoss[];
  readonly passed: readonly RowLargePass[];
}
