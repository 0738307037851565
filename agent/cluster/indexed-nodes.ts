import {
  indexCluster,
  indexClusterInSteps,
  type ClusterIndex,
} from '../diagnosis/nouns/cluster-index.js';
import type { DiagnosisNode } from '../diagnosis/nouns/diagnosis-node.js';
import { groupLabelsOf } from '../model/node-labels.js';
import { knownText, type Node } from '../model/node.js';
import type { Clock } from '../platform/clock.js';
import type { Steps } from '../platform/time-slices.js';
import { withMoves } from './moved-nodes.js';

/** The last node list, and its index for the diagnosis, which is made when it is needed. */
export class IndexedNodes {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #labels: readonly string[] | undefined;
  #nodes: readonly Node[] | undefined;
  #groupBy: readonly string[] = [];
  /** When the last node list came. */
  #listMs = 0;
  /** Undefined when a list came since. */
  #index: ClusterIndex | undefined;
  /** That of the list before, until the next one is made. */
  #indexBefore: ClusterIndex | undefined;

  /** @param labels those by which nodes are grouped; undefined: those that they have */
  constructor(clock: Pick<Clock, 'nowMs'>, labels: readonly string[] | undefined) {
    this.#clock = clock;
    this.#labels = labels;
  }

  /** Undefined before the first list. */
  get nodes(): readonly Node[] | undefined {
    return this.#nodes;
  }

  get groupBy(): readonly string[] {
    return this.#groupBy;
  }

  /** The index, where it has been made since the last list. */
  get made(): ClusterIndex | undefined {
    return this.#index;
  }

  /** Takes a whole new list. */
  take(nodes: readonly Node[]): void {
    this.#nodes = nodes;
    this.#groupBy = this.#labels ?? groupLabelsOf(nodes);
    if (this.#index) this.#indexBefore = this.#index;
    this.#index = undefined;
    this.#listMs = this.#clock.nowMs();
  }

  /** The index, made at once where it is not there. */
  index(): ClusterIndex {
    return (this.#index ??= indexCluster(this.#diagnosisNodes(), this.#groupBy));
  }

  /** Makes the index step by step, anew where a list comes meanwhile. */
  *prepare(): Steps<void> {
    while (!this.#index) {
      const nodes = this.#nodes;
      const index = yield* indexClusterInSteps(this.#diagnosisNodes(), this.#groupBy);
      if (nodes === this.#nodes) this.#index = index;
    }
    this.#indexBefore = undefined;
  }

  #diagnosisNodes(): readonly DiagnosisNode[] {
    const nodes = (this.#nodes ?? []).map(toDiagnosisNode);
    return this.#indexBefore ? withMoves(nodes, this.#indexBefore, this.#listMs) : nodes;
  }
}

function toDiagnosisNode({
  name,
  zone,
  labels,
  lifecycle,
  condition,
  host,
  endpoint,
}: Node): DiagnosisNode {
  const known = condition && knownText(condition);
  return { name, zone, labels, phase: lifecycle?.phase ?? 'active', host, endpoint, known };
}
