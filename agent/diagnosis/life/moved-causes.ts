import type { Candidate } from '../nouns/finding.js';
import type { FindingMemory } from '../nouns/memory.js';
import type { NamedCause } from '../nouns/named-cause.js';

/**
 * A cause that moves from one finding to another, as many become one or one is told alone again, has not closed and does not open again.
 * @returns what is remembered without the causes that another id tells now, and whether most causes of a candidate were of other open findings
 */
export function movedCauses(
  before: ReadonlyMap<string, FindingMemory>,
  candidates: readonly Candidate[],
): { before: ReadonlyMap<string, FindingMemory>; wasOpen: (candidate: Candidate) => boolean } {
  const ids = new Set(candidates.map(({ finding }) => finding.id));
  const isAsBefore =
    [...ids].every((id) => before.get(id)?.finding) &&
    [...before.keys()].every((id) => ids.has(id));
  if (isAsBefore) return { before, wasOpen: () => false };
  const shownBy = new Map<string, string>();
  for (const { finding, causes } of candidates) {
    for (const cause of causes) shownBy.set(keyOf(cause), finding.id);
  }
  const left = new Map<string, FindingMemory>();
  const moved = new Set<string>();
  for (const [id, known] of before) {
    const causes = known.causes.filter((cause) => {
      const key = keyOf(cause);
      const isMoved = (shownBy.get(key) ?? id) !== id;
      if (isMoved && known.finding) moved.add(key);
      return !isMoved;
    });
    if (causes.length > 0 || known.causes.length === 0) left.set(id, { ...known, causes });
  }
  const wasOpen = ({ causes }: Candidate): boolean => {
    const those = causes.filter((cause) => moved.has(keyOf(cause))).length;
    return those > 0 && 2 * those >= causes.length;
  };
  return { before: left, wasOpen };
}

function keyOf({ trouble, channels, target = '', type, names }: NamedCause): string {
  return [trouble, channels, target, type, ...[...names].sort()].join(' ');
}
