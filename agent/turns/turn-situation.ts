/** Another agent of the own cluster that is expected to tell what it sees. */
export interface OtherAgent {
  /** `cluster/name` */
  readonly name: string;
  /** How long ago it was last heard, in milliseconds; Infinity: never, or it is not reached. */
  readonly heardMsAgo: number;
  /** Its last row says that it is ready and gets the processor, so its turn may come. */
  readonly isReady: boolean;
}

/** What decides whose turn it is, as this agent sees it at one moment. */
export interface TurnSituation {
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** `cluster/name` */
  readonly localName: string;
  /**
   * The kubelet is told that this agent is ready, it has looked at every node, and it gets the
   * processor: else its failures may be its own fault.
   */
  readonly isReady: boolean;
  readonly others: readonly OtherAgent[];
  /** An agent that was not heard for so long is not fresh. */
  readonly freshForMs: number;
}
