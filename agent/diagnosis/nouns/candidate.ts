import type { Cause } from './cause.js';
import type { Finding } from './finding.js';
import type { NamedCause } from './named-cause.js';

/** A finding that may open, and what decides when it does. */
export interface Candidate {
  /** Its `since` is that of the paths it explains. */
  readonly finding: Finding;
  /** When its trouble began, in monotonic milliseconds. */
  readonly sinceMs: number;
  /** It opens this long after its trouble began, at the earliest. */
  readonly settleMs: number;
  readonly causes: readonly NamedCause[];
  /** The entries and channels that it explains; none for findings that explain no paths. */
  readonly explained: readonly Cause[];
}
