import type { ListedNodes } from '../discovery/kubernetes/kubernetes-source.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import type { Lifecycle } from '../model/node.js';

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

/** Another agent of the own cluster that is expected to tell what it sees. */
export interface OtherAgent {
  /** `cluster/name` */
  readonly name: string;
  /** How long ago it was last heard, in milliseconds; Infinity: never, or it is not reached. */
  readonly heardMsAgo: number;
  /** Its last row says that it is ready and gets the processor, so it may write. */
  readonly isReady: boolean;
}

/** All that decides what is written, as this agent sees it at one moment. */
export interface Situation {
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** `cluster/name` */
  readonly localName: string;
  /**
   * The kubelet is told that this agent is ready, it has looked at every node, and it gets the
   * processor: else its failures may be its own fault.
   */
  readonly isReady: boolean;
  /** Worst first. */
  readonly findings: readonly OpenFinding[];
  /** The nodes of the own cluster, by their short names. */
  readonly nodes: ReadonlyMap<string, OwnNode>;
  /** The same nodes as the API server shows them; undefined before the first list. */
  readonly listed: ListedNodes | undefined;
  readonly others: readonly OtherAgent[];
  /** An agent that was not heard for so long is not fresh. */
  readonly freshForMs: number;
  /** Whether none of this agent's own paths to a node fails, and one answers. */
  readonly reaches: (name: string) => boolean;
  /**
   * Whether the others reach a node, and its own agent them, well enough to say so for the first time. It reads the
   * rows of all observers, so it is asked only when something is to be written.
   * @param name the short name of the node
   */
  readonly isReachedByHalf: (name: string) => Promise<boolean>;
}
