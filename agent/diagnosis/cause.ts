/** What a cause is about. Nodes and zones are numbers of the cluster index. */
export type Subject =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'pair'; readonly from: number; readonly to: number }
  | { readonly type: 'zones'; readonly zone: number; readonly other: number | undefined }
  | { readonly type: 'cluster' };

/** What is wrong with the paths. */
export type Trouble = 'broken' | 'lossy' | 'slow';

/**
 * One cause: its subject, the channels and the direction that it breaks, and the paths that it
 * explains.
 */
export interface Cause {
  readonly subject: Subject;
  readonly trouble: Trouble;
  /** The channels. */
  readonly mask: number;
  /** It breaks all channels that any observer looks at. */
  readonly isWhole: boolean;
  /**
   * The direction: to the subject, from the subject, or both. For two subjects, `in` is from the
   * first to the other.
   */
  readonly ways: 'in' | 'out' | 'both';
  /** The opposite direction is known to work. */
  readonly reverseWorks: boolean;
  /** Only some of the paths that it could break fail. */
  readonly isPartial: boolean;
  /** Entries that have paths that it explains. */
  readonly entries: readonly number[];
  /** How many paths it explains. */
  readonly paths: number;
  /** Paths that work although this cause should break them, weighted by how recent they are. */
  readonly contradictions: number;
}
