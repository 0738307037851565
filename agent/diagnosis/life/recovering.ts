import type { Candidate } from '../nouns/finding.js';
import { isSame, isWithin, nodesOf, type Subject } from '../nouns/subject.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingMemory, PastCause } from '../nouns/memory.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { placed, type NamedCause, type PlacedCause } from '../nouns/named-cause.js';
import { recoveringShare } from '../search/former-causes.js';

/** What is left of a finding that recovers is no new one before this time: some of its paths may recover later than others. */
export const leftoverMs = 5000;

/**
 * The causes of findings that explain less than before, are not seen, or just closed; and by the first of their names those that
 * explain as much as before: there may be thousands.
 */
export function recoveringCauses(
  before: ReadonlyMap<string, Pick<FindingMemory, 'finding' | 'closedMs' | 'causes' | 'paths'>>,
  candidates: readonly Candidate[],
  { now, index }: Pick<DiagnosisInput, 'now' | 'index'>,
) {
  const explains = new Map(candidates.map(({ finding }) => [finding.id, finding.explains]));
  const lessening: { cause: PlacedCause; paths: number; isOpen: boolean }[] = [];
  const whole = new Map<string, NamedCause[]>();
  for (const [id, { finding, closedMs, causes, paths }] of before) {
    const isOpen = finding !== undefined;
    if (!isOpen && (closedMs === undefined || now - closedMs >= leftoverMs)) continue;
    if ((explains.get(id) ?? 0) >= recoveringShare * paths)
      for (const cause of causes) getOrInsert(whole, cause.names[0] ?? '', () => []).push(cause);
    else for (const cause of placed(causes, index)) lessening.push({ cause, paths, isOpen });
  }
  return { lessening, whole };
}

/**
 * How a candidate goes on with what recovers. It is `grown` from a cause that was a part of it, if
 * more channels and paths of the same subject fail than before. It is `leftover`, if it is about paths
 * that a recovering cause explained, or about a part of the channels of an open one at its subject. What explains more than a
 * cause within it is neither.
 */
export function continues(
  { causes, finding }: Pick<Candidate, 'causes' | 'finding'>,
  { lessening, whole }: ReturnType<typeof recoveringCauses>,
  index: ClusterIndex,
): 'grown' | 'leftover' | undefined {
  for (const cause of causes)
    for (const former of whole.get(cause.names[0] ?? '') ?? []) {
      const isWithinIt = (cause.channels & ~former.channels) === 0;
      const isPart = isWithinIt && cause.channels !== former.channels;
      if (isPart && isAtSame(cause, former)) return 'leftover';
    }
  if (lessening.length === 0) return undefined;
  let found: 'grown' | undefined;
  for (const cause of placed(causes, index)) {
    for (const { cause: former, paths, isOpen } of lessening) {
      if (former.trouble !== cause.trouble || former.target !== cause.target) continue;
      const isOfSame = isSame(cause.subject, former.subject);
      if (!isNear(cause.subject, former.subject, index)) continue;
      // A node recovers channel by channel, and then the last run knows of those alone that it told last.
      if ((former.channels & cause.channels) === 0 && !isOfSame) continue;
      const isMore = (former.channels & ~cause.channels) === 0 && finding.explains > paths;
      if (!isMore || !isWithin(former.subject, cause.subject, index)) return 'leftover';
      if (isOpen && isOfSame) found = 'grown';
    }
  }
  return found;
}

/** Whether two causes are of one trouble at the same subject. */
export function isAtSame(cause: NamedCause, former: NamedCause): boolean {
  return (
    former.trouble === cause.trouble &&
    former.target === cause.target &&
    former.type === cause.type &&
    former.names.every((name, at) => name === cause.names[at])
  );
}

/** Whether a candidate is about paths of an ended cause, and began before that end: of some agents it may not be known yet that they work. */
export function isOfBefore(
  { causes, sinceMs }: Pick<Candidate, 'causes' | 'sinceMs'>,
  past: readonly PastCause[],
  index: ClusterIndex,
): boolean {
  const ended = past.filter(({ endedMs = 0 }) => sinceMs < endedMs);
  if (ended.length === 0) return false;
  const former = placed(ended, index);
  return placed(causes, index).some(
    (cause) =>
      cause.trouble === 'broken' &&
      cause.target === undefined &&
      former.some((one) => meets(cause, one, index)),
  );
}

/** Whether what some nodes lose of a target, or get late, is what they do not reach at all. */
export function isBesideTarget(
  { causes }: Candidate,
  broken: readonly PlacedCause[],
  index: ClusterIndex,
): boolean {
  return placed(causes, index).some(
    (cause) =>
      cause.target !== undefined &&
      broken.some((one) => one.target === cause.target && meets(cause, one, index)),
  );
}

/** Whether a cause is near another one, on one of its channels at least. Zones may be a part of one that is cut off, as the other one was. */
function meets(cause: PlacedCause, other: PlacedCause, index: ClusterIndex): boolean {
  if ((other.channels & cause.channels) === 0) return false;
  const isZoneCut = other.subject.type === 'zones' && other.subject.other === undefined;
  return (
    (isZoneCut && cause.subject.type === 'zones') || isNear(cause.subject, other.subject, index)
  );
}

/** Whether the paths of one subject are among those of another one, or share an end with a zone of it. */
function isNear(inner: Subject, outer: Subject, index: ClusterIndex): boolean {
  if (outer.type !== 'zones') return isWithin(inner, outer, index);
  const zones =
    inner.type === 'zones'
      ? [inner.group, inner.other ?? -1]
      : nodesOf(inner).map((node) => index.zoneOf[node]);
  return zones.some((zone) => zone === outer.group || zone === outer.other);
}
