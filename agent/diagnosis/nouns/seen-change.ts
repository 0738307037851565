import type { RowChange } from '../../model/row-host.js';

/** Something that changed on a node, as this agent saw it. */
export interface SeenChange extends Omit<RowChange, 'ageSeconds'> {
  /** Monotonic milliseconds. */
  readonly foundMs: number;
}
