import type { HostSign, RowSign } from './row-host.js';

/** What the endpoint of a node tells of the network that it is in. */
export interface EndpointHost {
  /** Its network namespace, as the kernel names it; undefined where that cannot be read. */
  readonly network: string | undefined;
  /** With the ages at the time of the answer. */
  readonly signs: readonly RowSign[];
  /** What is not shown there. */
  readonly missing: readonly HostSign[];
}
