import type { Cause } from '../nouns/cause.js';
import { paced } from '../nouns/steps.js';
import { isWithin } from '../nouns/subject.js';
import type { Explanation } from './explanation.js';
import type { Evidence, Subjects } from './subjects.js';
import { slice } from './take-best.js';

/** Of two causes that cost about the same, the one that breaks less is the right one. */
const aboutSame = 0.2;

/**
 * Looks at each node whose paths another cause explains in part, and tries a cause there that breaks fewer channels or one
 * direction alone. Returns whether one was enough.
 */
export function* narrow(
  { index }: Evidence,
  explanation: Explanation,
  subjects: Subjects,
): Generator<void, boolean> {
  const all = [...explanation.causes];
  const ofNodes = new Map<number, number>();
  for (const { subject } of all)
    if (subject.type === 'node') ofNodes.set(subject.node, (ofNodes.get(subject.node) ?? 0) + 1);
  const regions = all.filter(({ subject }) => subject.type !== 'node' && subject.type !== 'pair');
  let hasNarrowed = false;
  const isEnough = paced(slice);
  for (const cause of all) {
    const { subject } = cause;
    if (subject.type !== 'node' || cause.isPartial) continue;
    const isShared =
      (ofNodes.get(subject.node) ?? 0) > 1 ||
      regions.some((region) => isWithin(subject, region.subject, index));
    if (!isShared) continue;
    const before = explanation.total;
    explanation.remove(cause);
    const other = subjects.best(subject);
    if (other && breaksLess(other, cause)) {
      explanation.add(other);
      if (explanation.total <= before + aboutSame) {
        hasNarrowed = true;
        continue;
      }
      explanation.remove(other);
    }
    explanation.add(cause);
    if (isEnough(20 + cause.entries.length)) yield;
  }
  return hasNarrowed;
}

/** Whether a cause breaks a part of what the other one breaks, and nothing else. */
function breaksLess(one: Cause, other: Cause): boolean {
  if ((one.channels & ~other.channels) !== 0) return false;
  if (one.ways !== other.ways && other.ways !== 'both') return false;
  return one.channels !== other.channels || one.ways !== other.ways;
}
