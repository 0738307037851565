import type * as contract from '../../../api/schema/v1/findings.js';
import type { FindingKind } from '../../../api/schema/v1/finding-kinds.js';
import type { Protocol } from '../../model/sample.js';
import type { Cause } from './cause.js';
import type { NamedCause } from './named-cause.js';

export type { FindingKind };

/** A type of the contract with its named fields only, so that a misspelled field is an error. */
type Named<T> = T extends readonly unknown[]
  ? { readonly [K in keyof T]: Named<T[K]> }
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Named<T[K]> }
    : T;

/** One cause that explains failing, lossy or slow paths: the finding of the contract. */
export type Finding = Omit<Named<contract.Finding>, 'kind' | 'protocols'> & {
  readonly kind: FindingKind;
  readonly protocols: readonly Protocol[];
};

export type Severity = Finding['severity'];

/**
 * `inbound`: packets to the node fail and its own probes work. `outbound`: the reverse. `both`:
 * both fail. For `pair`, `zones` and two groups it is the direction of the first of the two.
 */
export type Direction = NonNullable<Finding['direction']>;

/** One path that a finding explains. */
export type FindingEvidence = Finding['evidence'][number];

/** The order of findings: broken before degraded, then by how many paths they explain. */
export function worstFirst(a: Finding, b: Finding): number {
  const bySeverity = Number(a.severity !== 'broken') - Number(b.severity !== 'broken');
  if (bySeverity !== 0) return bySeverity;
  if (a.explains !== b.explains) return b.explains - a.explains;
  const [first, second] = [`${a.since} ${a.id}`, `${b.since} ${b.id}`];
  return first < second ? -1 : Number(first > second);
}

/** The share of what was observed that fails. Little of it gives a lower confidence, and so does a discount from 1 to 0. */
export function confidenceOf(fails: number, works: number, discount = 1): number {
  const share = (fails + 0.5) / (fails + works + 1.5);
  return Math.round(share * discount * 100) / 100;
}

/** A finding that may open, and what decides when it does. */
export interface Candidate {
  /** Its `since` is that of the paths it explains. */
  readonly finding: Finding;
  /** When its trouble began, in monotonic milliseconds. */
  readonly sinceMs: number;
  /** It opens this long after its trouble began, at the earliest. */
  readonly settleMs: number;
  readonly causes: readonly NamedCause[];
  /** The nodes that it is about, where neither its id nor its causes say so. */
  readonly nodes?: readonly string[];
  /** The entries and channels that it explains; none for findings that explain no paths. */
  readonly explained: readonly Cause[];
}
