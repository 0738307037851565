/** How a node source that depends on others is doing. Times are epoch milliseconds. */
export interface SourceState {
  /** `nodes of Kubernetes API https://198.51.100.1:6443` */
  readonly waitsFor: string;
  /** Since when it waits; undefined while all is well. */
  readonly since: number | undefined;
  readonly lastError: string | undefined;
  /** When the list in use was last known to be true; undefined: there is no list yet. */
  readonly listAt: number | undefined;
}

export type ReportSourceState = (state: SourceState) => void;
