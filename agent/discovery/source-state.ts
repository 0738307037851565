/** The state of a node source. Times are epoch milliseconds. */
export interface SourceState {
  /** The name of the source, the same in every state: `Kubernetes API of default`. */
  readonly source: string;
  /** What it waits for now: `nodes of the Kubernetes API of default`. */
  readonly waitsFor: string;
  /** Since when it waits; undefined while all is well. */
  readonly since: number | undefined;
  readonly lastError: string | undefined;
  /** When the list in use was last known to be true; undefined: there is no list yet. */
  readonly listAt: number | undefined;
  /** How changes of nodes come: as rows of a Table, or as whole objects. Left out: there is one way, or none came yet. */
  readonly form?: 'rows' | 'objects' | undefined;
  /** The list in use was kept on this host by an agent before this one. */
  readonly isKept?: boolean;
}

export type ReportSourceState = (state: SourceState) => void;

/** One line: what is waited for, since when, why, and how old the list in use is. */
export function describeWait({ waitsFor, since, lastError, listAt, isKept }: SourceState): string {
  const from = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  const list =
    listAt === undefined
      ? 'there is no node list yet'
      : `the node list of ${new Date(listAt).toISOString()}${isKept ? ', kept by the agent before this one,' : ''} stays in use`;
  const why = lastError === undefined ? '' : ` (${lastError})`;
  return `waiting for ${waitsFor}${from}: ${list}${why}`;
}
