import type { Candidate } from './build-finding.js';
import type { FindingMemory } from './diagnosis-input.js';
import type { NamedCause } from './named-cause.js';
import type { ZoneOf } from './replaced-by.js';

/**
 * When a finding recovers, some of its paths may do so later than others. What is left of it is no new
 * finding before this time.
 */
export const restMs = 5000;
/** A finding recovers once it explains less than this share of the paths that it explained. */
export const recoveringShare = 0.9;

interface Recovering {
  readonly cause: NamedCause;
  readonly paths: number;
  readonly isOpen: boolean;
  /** When it closed, if that is longer ago: what was looked at before is what is left of it. */
  readonly closedMs?: number;
}

/** The causes of findings that recover: they explain less than before, are not seen, or just closed. */
export function recoveringCauses(
  before: ReadonlyMap<string, FindingMemory>,
  candidates: readonly Candidate[],
  now: number,
): readonly Recovering[] {
  const explains = new Map(candidates.map(({ finding }) => [finding.id, finding.explains]));
  const recovering: Recovering[] = [];
  for (const [id, { finding, closedMs, causes, paths }] of before) {
    const isOpen = finding !== undefined;
    if (!isOpen && closedMs === undefined) continue;
    if ((explains.get(id) ?? 0) >= recoveringShare * paths) continue;
    const isPast = !isOpen && closedMs !== undefined && now - closedMs >= restMs;
    for (const cause of causes) {
      if (isPast && cause.target === undefined) continue;
      recovering.push({ cause, paths, isOpen, ...(isPast && { closedMs }) });
    }
  }
  return recovering;
}

/**
 * How a candidate goes on with what recovers. It is the `whole` of a cause that was a part of it, if
 * more channels and paths of the same subject fail than before. It is a `rest`, if it is about paths
 * that a recovering cause explained, and `old` if it is about looks at a target from before one closed: where many
 * nodes look rarely, some look again long after it is mended.
 */
export function continues(
  { causes, finding, lookedMs = Infinity }: Candidate,
  recovering: readonly Recovering[],
  zoneOf: ZoneOf,
): 'whole' | 'rest' | 'old' | undefined {
  let found: 'whole' | 'old' | undefined;
  for (const cause of causes) {
    for (const { cause: former, paths, isOpen, closedMs } of recovering) {
      if (closedMs !== undefined && lookedMs >= closedMs) continue;
      if (former.trouble !== cause.trouble || former.target !== cause.target) continue;
      if (!isWithin(cause, former, zoneOf)) continue;
      // A node that recovers does so channel by channel, and its last claim may be a part of its first.
      if ((former.claim & cause.claim) === 0 && !isSame(cause, former)) continue;
      const hasGrown = (cause.claim & ~former.claim) !== 0 && (former.claim & ~cause.claim) === 0;
      if (closedMs !== undefined) found ??= 'old';
      else if (!isOpen || !isSame(cause, former) || !hasGrown || finding.explains <= paths)
        return 'rest';
      else found = 'whole';
    }
  }
  return found;
}

/** Whether paths that are lossy or slow are among those that a broken cause explains. */
export function isBeside(
  degraded: Candidate,
  broken: readonly Candidate[],
  zoneOf: ZoneOf,
): boolean {
  return degraded.causes.some((cause) =>
    broken.some(({ causes }) =>
      causes.some(
        (other) =>
          other.target === cause.target &&
          (other.claim & cause.claim) !== 0 &&
          isWithin(cause, other, zoneOf),
      ),
    ),
  );
}

/** Whether two causes are about the same subject. */
export function isSame(a: NamedCause, b: NamedCause): boolean {
  return a.type === b.type && [...a.names].sort().join(' ') === [...b.names].sort().join(' ');
}

/** Whether the paths of one subject are among those of another one, or share an end with it. */
function isWithin(inner: NamedCause, outer: NamedCause, zoneOf: ZoneOf): boolean {
  if (outer.type === 'cluster') return true;
  if (isSame(inner, outer)) return true;
  switch (outer.type) {
    case 'pair':
      return false;
    case 'node':
      return inner.type === 'pair' && inner.names.some((name) => outer.names.includes(name));
    case 'zones': {
      const isAt = (zone: string | undefined) => zone !== undefined && outer.names.includes(zone);
      if (inner.type === 'zones') return inner.names.some(isAt);
      return inner.type !== 'cluster' && inner.names.map(zoneOf).some(isAt);
    }
  }
}
