/** One member of the cluster. The first address of a plane is its primary one. */
export interface Node {
  /** `cluster/name` */
  readonly name: string;
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
}

/** Where the list of nodes comes from. */
export interface NodeSource {
  /**
   * Emits the first list, then each further one, whole, until it is stopped.
   * @throws ConfigError where there is no first list to be had
   */
  start(onNodes: (nodes: readonly Node[]) => void): Promise<void>;
  stop(): void;
}
