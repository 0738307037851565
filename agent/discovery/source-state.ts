/** How a node source that depends on others is doing. Times are epoch milliseconds. */
export interface SourceState {
  /** Who is asked, the same in every state: `Kubernetes API of default`. */
  readonly source: string;
  /** What is asked of it now: `nodes of the Kubernetes API of default`. */
  readonly waitsFor: string;
  /** Since when it waits; undefined while all is well. */
  readonly since: number | undefined;
  readonly lastError: string | undefined;
  /** When the list in use was last known to be true; undefined: there is no list yet. */
  readonly listAt: number | undefined;
}

export type ReportSourceState = (state: SourceState) => void;
