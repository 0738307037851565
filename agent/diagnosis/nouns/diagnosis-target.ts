import type { TargetKind } from '../../model/target.js';

/** The target that Kubernetes agents probe by themselves: the endpoints, behind one address. */
export const serviceTarget = 'service';
export const apiServerTarget = 'api-server';
/** Those that they reach by the address of a Service, which each node translates for itself. The first is asked for that alone. */
export const targetsOfServices: readonly string[] = [serviceTarget, apiServerTarget, 'cluster-dns'];

/** A target as this agent knows it: what texts and commands need, and no secret. */
export interface DiagnosisTarget {
  readonly name: string;
  readonly digest: number;
  readonly kind: TargetKind;
  /** The DNS servers that are asked, in their order; of other kinds none. */
  readonly servers: readonly string[];
  /** The question to them, as a name and a type. */
  readonly query?: string;
  readonly type?: string;
  /** The host and the port of the other kinds. */
  readonly host?: string;
  readonly port?: number;
  /** The name that its certificate must have, where it is another one. */
  readonly tlsName?: string;
  /** The address without a user, a query and a fragment. */
  readonly url?: string;
  /** The HTTP status that this node got last, if it is not an expected one. Rows tell no status. */
  readonly statusHere?: number;
}
