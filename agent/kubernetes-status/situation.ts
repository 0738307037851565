import type { ListedNodes } from '../discovery/kubernetes/kubernetes-source.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import type { Lifecycle } from '../model/node.js';
import type { TurnSituation } from '../turns/turn-situation.js';

/** A node of the agent's own cluster, by the name that Kubernetes knows it by. */
export interface OwnNode {
  /** `cluster/name` */
  readonly name: string;
  readonly phase: Lifecycle['phase'];
}

/** An open finding, and the nodes of the own cluster that it names, by their short names. */
export interface OpenFinding {
  readonly finding: Finding;
  readonly nodes: ReadonlySet<string>;
}

/** All that decides what is written, as this agent sees it at one moment. */
export interface Situation extends TurnSituation {
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** Worst first. */
  readonly findings: readonly OpenFinding[];
  /** The nodes of the own cluster, by their short names. */
  readonly nodes: ReadonlyMap<string, OwnNode>;
  /** The same nodes as the API server shows them; undefined before the first list. */
  readonly listed: ListedNodes | undefined;
  /** Whether none of this agent's own paths to a node fails, and one answers. */
  readonly reaches: (name: string) => boolean;
  /**
   * Whether the others reach a node, and its own agent them, well enough to say so for the first time. It reads the
   * rows of all observers, so it is asked only when something is to be written.
   * @param name the short name of the node
   */
  readonly isReachedByHalf: (name: string) => Promise<boolean>;
}
