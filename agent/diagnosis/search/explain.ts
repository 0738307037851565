import type { Cause } from '../nouns/cause.js';
import { paced } from '../nouns/steps.js';
import { isWithin, nodesOf, type Subject } from '../nouns/subject.js';
import { leastOpen, type Explanation } from './explanation.js';
import type { Evidence, Subjects } from './subjects.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { ageOfOldestTenth } from '../evidence/begin.js';
import { channelsIn } from '../nouns/channel-mask.js';

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

/**
 * Tries at each subject that has causes whether one other cause there is better than all of them
 * together. Returns whether one was.
 */
function* merge(
  { index }: Evidence,
  explanation: Explanation,
  subjects: Subjects,
  all: readonly Subject[],
): Generator<void, boolean> {
  if (explanation.size === 0) return false;
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
    if (isAlone && !explanation.hasOpenAt(subject.node)) continue;
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
    if (before - explanation.total > leastFall) return true;
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

/** The work between two yields, in entries: some milliseconds the first time, before the code is compiled. */
export const slice = 500;

/** What is tried: returns the best cause there, if there is one. */
export type Candidate = () => Cause | undefined;

interface Scored {
  readonly find: Candidate;
  readonly cause: Cause;
}

/**
 * Takes the candidate with the largest gain until none has any. Gains only shrink while more is
 * explained, so a candidate that is still the best after a new look is the best of all.
 */
export function* takeBest(
  explanation: Explanation,
  candidates: readonly Candidate[],
): Generator<void> {
  const scored: Scored[] = [];
  const isEnough = paced(slice);
  for (const find of candidates) {
    const cause = find();
    if (cause) scored.push({ find, cause });
    if (isEnough(20 + (cause?.paths ?? 0))) yield;
  }
  scored.sort((a, b) => a.cause.gain - b.cause.gain);
  for (let last = scored.pop(); last; last = scored.pop()) {
    const { find } = last;
    const cause = find();
    if (isEnough(20 + 4 * (cause?.paths ?? 0))) yield;
    if (!cause) continue;
    if (cause.gain < (scored.at(-1)?.cause.gain ?? 0)) {
      insert(scored, { find, cause });
      continue;
    }
    explanation.add(cause);
    const again = find();
    if (again) insert(scored, { find, cause: again });
  }
}

function insert(scored: Scored[], one: Scored): void {
  const before = scored.findLastIndex(({ cause }) => cause.gain < one.cause.gain);
  scored.splice(before + 1, 0, one);
}

/** A change must lower the total cost by more than this. */
export const leastFall = 1;
/** What more nodes than this have in common is no chance. */
const mostNodes = 64;

/** Until then a part is often seen before the whole. */
const leastAgeS = 3;
/** So many paths of a cause represent all where its age is asked for. */
const sampleSize = 64;

/**
 * Tries for each cause at the cluster, at one or two zones or at a group whether others are cheaper: at nodes, or at two zones
 * and at nodes; and of one zone, whether one of another zone is, with what that makes needless.
 * @param all the subjects of all causes but pairs
 * @returns whether any were
 */
export function* split(
  evidence: Evidence,
  explanation: Explanation,
  subjects: Subjects,
  all: readonly Subject[],
): Generator<void, boolean> {
  const { index } = evidence;
  const nodes = all.filter(({ type }) => type === 'node');
  const cuts = all.flatMap((one) => (one.type === 'zones' ? one : []));
  const pairs = cuts.filter(({ other }) => other !== undefined);
  const single = cuts.filter(({ other }) => other === undefined);
  let hasSplit = false;
  for (const cause of [...explanation.causes]) {
    const { subject } = cause;
    const isCluster = subject.type === 'cluster';
    const isGroup = subject.type === 'group' || subject.type === 'groups';
    if (subject.type !== 'zones' && !isCluster && !isGroup) continue;
    // What fails in a large cluster is no few nodes, and it takes long to try.
    if (isCluster && nodes.length > mostNodes) continue;
    const isOneZone = subject.type === 'zones' && subject.other === undefined;
    const parts = isOneZone ? pairs.filter((one) => isWithin(one, subject, index)) : [];
    const others = isOneZone ? single.filter(({ group }) => group !== subject.group) : [];
    const isYoung = !isGroup && ageS(cause, evidence) < leastAgeS;
    const tried = [
      ...(isYoung ? [] : [[], ...(isOneZone ? [[parts]] : [])]),
      ...others.map((one) => [[one], parts]),
    ];
    const before = explanation.total;
    const known = new Set(explanation.causes);
    for (const steps of tried) {
      explanation.remove(cause);
      for (const step of steps) yield* takeBest(explanation, candidates(subjects, step));
      const open = nodes.filter((one) => one.type === 'node' && explanation.hasOpenAt(one.node));
      if (open.length <= mostNodes) yield* takeBest(explanation, candidates(subjects, open));
      const dropped = steps.length > 1 ? yield* dropNeedless(explanation) : [];
      const added = [...explanation.causes].filter((one) => !known.has(one));
      const fall = before - explanation.total;
      // Of two that explain as much, the one that breaks fewer channels is the right one.
      if (fall > leastFall || (added.length === 1 && fall > -leastOpen)) {
        hasSplit = true;
        break;
      }
      for (const one of added) explanation.remove(one);
      for (const one of [cause, ...dropped]) if (known.has(one)) explanation.add(one);
    }
  }
  return hasSplit;
}

/** Drops causes whose paths the others explain well enough, and returns them. */
export function* dropNeedless(explanation: Explanation): Generator<void, readonly Cause[]> {
  const dropped: Cause[] = [];
  const isEnough = paced(slice);
  for (const cause of [...explanation.causes].sort((a, b) => a.gain - b.gain)) {
    if (explanation.uniqueWeight(cause) < cause.cost) {
      explanation.remove(cause);
      dropped.push(cause);
    }
    if (isEnough(cause.entries.length)) yield;
  }
  return dropped;
}

function candidates(subjects: Subjects, parts: readonly Subject[]) {
  return parts.map((part) => () => subjects.best(part));
}

/** The mean age of a cause's trouble, and of one at the cluster that of its oldest tenth, in seconds. */
function ageS({ subject, entries, knownChannels }: Cause, evidence: Evidence): number {
  const ages: number[] = [];
  for (const entry of entries.subarray(0, sampleSize)) {
    const failing = (evidence.bad[entry] ?? 0) & knownChannels;
    for (const channel of channelsIn(failing)) ages.push(evidence.ageS(entry, channel));
  }
  if (subject.type !== 'cluster')
    return ages.reduce((sum, age) => sum + age, 0) / Math.max(ages.length, 1);
  return ageOfOldestTenth(ages);
}
