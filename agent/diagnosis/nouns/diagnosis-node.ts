import type { NodeLabels } from '../../model/node-labels.js';
import type { Plane } from '../../model/path.js';

/** A node as the diagnosis needs it. Only active nodes are expected to answer. */
export interface DiagnosisNode {
  readonly name: string;
  readonly zone: string | undefined;
  /** Its values of the labels that group nodes, but for the zone; left out, it has none. */
  readonly labels?: NodeLabels | undefined;
  readonly phase: 'active' | 'joining' | 'leaving' | 'excluded';
  /** The first address of a plane is its primary one. Rows tell of that one only. */
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
  /** When its first address on a plane became another one in the list of this agent, in monotonic milliseconds; left out, it never did. */
  readonly movedMs?: Readonly<Partial<Record<Plane, number>>> | undefined;
  /** What the cluster itself says is wrong with it: `Kubernetes: NotReady since ...`. */
  readonly known?: string | undefined;
}
