import { type NodePlaces, type Subject, isWithin, touches } from '../nouns/subject.js';
import type { Finding } from '../nouns/finding.js';

/** A finding, and what its causes are about: that of many is about each of them. */
export interface Placed {
  readonly finding: Finding;
  readonly subjects: readonly Subject[];
}

/**
 * Whether an open finding replaces one that is not seen any more. It has a node or zone in common,
 * or it covers that one.
 */
export function isReplaced(gone: Placed, open: readonly Placed[], index: NodePlaces): boolean {
  return (
    isCovered(gone, open, index) ||
    open.some(
      (other) =>
        mayReplace(other.finding, gone.finding) &&
        gone.subjects.some((subject) => other.subjects.some((one) => touches(subject, one, index))),
    )
  );
}

/**
 * Whether an open finding says that the whole cluster, a zone or a group is broken by all protocols of a
 * finding within it that is not seen any more, or that it has the same trouble: what few tests took for a node's is
 * often its zone's.
 */
export function isCovered(gone: Placed, open: readonly Placed[], index: NodePlaces): boolean {
  const isIn = (subjects: readonly Subject[]) => (inner: Subject) =>
    subjects.some((outer) => isRegion(outer) && isWithin(inner, outer, index));
  return open.some(
    ({ finding, subjects }) =>
      (finding.severity === 'broken' || isOfSameTrouble(finding, gone.finding)) &&
      mayReplace(finding, gone.finding) &&
      gone.finding.protocols.every((protocol) => finding.protocols.includes(protocol)) &&
      gone.subjects.length > 0 &&
      gone.subjects.every(isIn(subjects)),
  );
}

function isOfSameTrouble({ kind, plane }: Finding, gone: Finding): boolean {
  return kind === gone.kind && (plane === undefined || plane === gone.plane);
}

/** What is said of paths may be why a target fails, and not the reverse. */
function mayReplace({ target }: Finding, gone: Finding): boolean {
  return target === undefined || target === gone.target;
}

function isRegion({ type }: Subject): boolean {
  return type !== 'node' && type !== 'pair';
}
