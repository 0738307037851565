import type { Cause } from '../nouns/cause.js';
import { paced } from '../nouns/steps.js';
import { isSame, isWithin, nodesOf, type Subject } from '../nouns/subject.js';
import { leastOpen, type Explanation } from './explanation.js';
import { dropNeedless, leastFall, split } from './split.js';
import type { Evidence, Subjects } from './subjects.js';
import { slice, takeBest, type Candidate } from './take-best.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** So often the search begins anew while it still finds something better. */
const mostRounds = 4;

/**
 * Searches the explanation with the least total cost. It takes the best cause again and again, then
 * drops causes that others made needless, and tries whether one cause at a larger or the same
 * subject is cheaper than several, and several smaller ones than one.
 * @param small returns smaller causes that are tried too: pairs, and nodes that fail for some of the others only
 */
export function* explain(
  evidence: Evidence,
  explanation: Explanation,
  subjects: Subjects,
  small?: () => Generator<void, readonly Candidate[]>,
): Generator<void> {
  const all = yield* subjects.all();
  for (let round = 0; round < mostRounds; round++) {
    const smaller = small ? yield* small() : [];
    if (smaller.length === 0 && explanation.isSettled) return;
    const candidates: Candidate[] = [];
    for (const subject of all) {
      // There may be thousands of nodes, and mostly all is explained that fails there.
      const hasOpen = subject.type !== 'node' || explanation.hasOpenAt(subject.node);
      if (hasOpen) candidates.push(() => subjects.best(subject));
    }
    candidates.push(...smaller);
    yield;
    yield* takeBest(explanation, candidates);
    const { length: dropped } = yield* dropNeedless(explanation);
    const hasMerged = yield* merge(evidence, explanation, subjects, all);
    const hasSplit = yield* split(evidence, explanation, subjects, all);
    explanation.isSettled = dropped === 0 && !hasMerged && !hasSplit;
    if (explanation.isSettled) return;
  }
}

/** Tries at each subject that has causes whether one other cause there is better than all of them together. Returns whether one was. */
function* merge(
  { index }: Evidence,
  explanation: Explanation,
  subjects: Subjects,
  all: readonly Subject[],
): Generator<void, boolean> {
  const byNode = new Map<number, Cause[]>();
  for (const cause of explanation.causes)
    for (const node of nodesOf(cause.subject)) getOrInsert(byNode, node, () => []).push(cause);
  let hasMerged = false;
  for (const subject of all) {
    const inner =
      subject.type === 'node'
        ? (byNode.get(subject.node) ?? [])
        : [...explanation.causes].filter((cause) => isWithin(cause.subject, subject, index));
    if (inner.length === 0 || inner.some((cause) => cause.isPartial)) continue;
    const isAlone = subject.type === 'node' && inner.length === 1;
    // One of its two directions may be needless by now.
    const mayBeLess = inner.some((one) => one.ways === 'both' && isSame(one.subject, subject));
    if (isAlone && !mayBeLess && !explanation.hasOpenAt(subject.node)) continue;
    if (yield* tryInstead(explanation, subjects, subject, inner)) hasMerged = true;
    yield;
  }
  return hasMerged;
}

/** Puts one cause at a subject in the place of others, if that lowers the total cost. */
function* tryInstead(
  explanation: Explanation,
  subjects: Subjects,
  subject: Subject,
  inner: readonly Cause[],
): Generator<void, boolean> {
  const before = explanation.total;
  yield* each(inner, (cause) => explanation.remove(cause));
  const merged = subjects.best(subject);
  const kept: Cause[] = [];
  if (merged) {
    explanation.add(merged);
    yield* each(inner, (cause) => {
      explanation.add(cause);
      if (explanation.uniqueWeight(cause) > cause.cost) kept.push(cause);
      else explanation.remove(cause);
    });
    // At the same subject it is enough that the new cause is cheaper.
    const isAtSame = inner.length === 1 && inner.every((one) => isSame(one.subject, subject));
    const least = isAtSame ? leastOpen : leastFall;
    if (before - explanation.total > least) return true;
    explanation.remove(merged);
  }
  yield* each(kept, (cause) => explanation.remove(cause));
  yield* each(inner, (cause) => explanation.add(cause));
  return false;
}

/** Does something with each cause, and yields every few milliseconds of work. */
function* each(causes: readonly Cause[], act: (cause: Cause) => void): Generator<void> {
  const isEnough = paced(slice);
  for (const cause of causes) {
    act(cause);
    if (isEnough(20 + cause.entries.length)) yield;
  }
}
