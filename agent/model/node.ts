/** Where a node is in its life, as its source sees it. */
export interface Lifecycle {
  /** Only an active node is expected to answer. */
  readonly phase: 'joining' | 'active' | 'leaving' | 'excluded';
  /** Why it is not simply active. */
  readonly reason?: string;
}

/** One member of the cluster. The first address of a plane is its primary one. */
export interface Node {
  /** `cluster/name` */
  readonly name: string;
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
  /** Tells a node from an earlier one of the same name. */
  readonly incarnation?: string;
  /** Left out: active. */
  readonly lifecycle?: Lifecycle;
  /** Where it stands: nodes of a zone share what fails together. */
  readonly zone?: string;
}
