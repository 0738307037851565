import type { GroupedNode } from './node-labels.js';

/** Where a node is in its life, as its source sees it. */
export interface Lifecycle {
  /** Only an active node is expected to answer. */
  readonly phase: 'joining' | 'active' | 'leaving' | 'excluded';
  /** Why it is not simply active. */
  readonly reason?: string;
}

/** Whether a text can be the name of a zone: REGION/ZONE of two label values is the longest. */
export function isZoneName(text: string): boolean {
  return /^[A-Za-z0-9_./-]{1,127}$/.test(text);
}

/**
 * What the cluster itself says is wrong with a node. It is a symptom: the node is expected to
 * answer all the same.
 */
export interface NodeCondition {
  readonly name: 'NotReady';
  /** Epoch milliseconds; undefined if the cluster does not say. */
  readonly sinceAt: number | undefined;
}

/** A condition in words, with an RFC 3339 time: `Kubernetes: NotReady since 2026-01-31T14:02:07Z`. */
export function knownText({ name, sinceAt }: NodeCondition): string {
  if (sinceAt === undefined) return `Kubernetes: ${name}`;
  return `Kubernetes: ${name} since ${new Date(sinceAt).toISOString().replace('.000Z', 'Z')}`;
}

/** An address that a node lists and does not have, because it belongs to another one. */
export interface LostAddress {
  readonly ip: string;
  /** The name of the node that has it. */
  readonly holder: string;
}

/** One member of the cluster. The first address of a plane is its primary one. */
export interface Node extends GroupedNode {
  /** `cluster/name` */
  readonly name: string;
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
  /** Tells a node from an earlier one of the same name. */
  readonly incarnation?: string;
  /** Left out: active. */
  readonly lifecycle?: Lifecycle;
  /** Left out: its source says nothing of that kind. */
  readonly condition?: NodeCondition;
  /** Left out: it has all addresses that its source lists for it. */
  readonly lost?: readonly LostAddress[];
}
