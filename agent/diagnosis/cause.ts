/** What a cause is about. Nodes and zones are numbers of the cluster index. */
export type Subject =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'pair'; readonly from: number; readonly to: number }
  | { readonly type: 'zones'; readonly zone: number; readonly other: number | undefined }
  | { readonly type: 'cluster' };

/** What kind of trouble it is. */
export type Trouble = 'broken' | 'lossy' | 'slow';

/** One cause: what it is about, on which channels and which way, and what it explains. */
export interface Cause {
  readonly subject: Subject;
  readonly trouble: Trouble;
  /** The channels. */
  readonly mask: number;
  /** All channels that anyone looked at have it. */
  readonly isWhole: boolean;
  /** Which way: to the subject (of two, from the first to the other), the reverse, or both. */
  readonly ways: 'in' | 'out' | 'both';
  /** The reverse way is known to work. */
  readonly reverseWorks: boolean;
  /** Only some of what could fail does. */
  readonly isPartial: boolean;
  /** The entries whose paths it explains. */
  readonly entries: readonly number[];
  /** How many paths that is. */
  readonly paths: number;
  /** Paths that work although the cause says that they do not, with their weight. */
  readonly contradictions: number;
}
