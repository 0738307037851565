import { type Subject, isSame, isWithin } from '../nouns/subject.js';
import { takeBest } from './take-best.js';
import { firstLookWeight, leastLookWeight } from './target-prior.js';
import { TargetCauses, type TargetBelief, type TargetCause } from './target-cause.js';
import { bad, slotsBelow, type TargetTally } from '../evidence/target-tally.js';

/** A change must lower the total cost by more than this. */
const leastGain = 0.01;
/** A larger cause must be cheaper than several smaller ones by more than this. */
const leastMergeGain = 1;

/** Finds the causes of all bad looks at one target that have the least total cost. */
export function* explainTarget(
  tally: TargetTally,
  belief: TargetBelief,
): Generator<void, readonly TargetCause[]> {
  const causes = new TargetCauses(tally, belief);
  causes.weigh(leastLookWeight);
  yield* choose(causes);
  if (tally.question.trouble === 'broken') {
    // The fewer looks nothing explains, the less likely each of them is chance.
    causes.weigh(firstLookWeight(tally.knownNodes, causes.openNodes));
    yield* choose(causes);
  }
  return [...causes.chosen];
}

function* choose(causes: TargetCauses): Generator<void> {
  const subjects = subjectsWithTrouble(causes.tally);
  yield* addBest(causes, subjects);
  drop(causes);
  for (const subject of subjects) {
    if (subject.type !== 'node') merge(causes, subject);
  }
  yield* addBest(causes, subjects);
  drop(causes);
}

/**
 * Adds the causes that gain most: first those of many nodes, then those of the nodes that they leave
 * over. Where a target is down everywhere there may be thousands of nodes to look at.
 */
function* addBest(causes: TargetCauses, subjects: readonly Subject[]): Generator<void> {
  yield* addBestOf(
    causes,
    subjects.filter(({ type }) => type !== 'node'),
  );
  const isLeftOver = (subject: Subject): boolean =>
    subject.type === 'node' &&
    slotsBelow(subject.node).some(
      (slot) => causes.tally.kinds[slot] === bad && causes.isOpen(slot),
    );
  yield* addBestOf(causes, subjects.filter(isLeftOver));
}

function* addBestOf(causes: TargetCauses, subjects: readonly Subject[]): Generator<void> {
  yield* takeBest(
    causes,
    subjects.map((subject) => () => bestAt(causes, subject)),
  );
}

/** The best cause at a subject, from both planes or one; undefined if none explains more than it costs. */
function bestAt(causes: TargetCauses, subject: Subject): TargetCause | undefined {
  let best: TargetCause | undefined;
  for (const claim of claimsOf(causes.tally)) {
    const cause = causes.causeAt(subject, claim);
    if (cause && cause.gain > Math.max(leastGain, best?.gain ?? 0)) best = cause;
  }
  return best;
}

function drop(causes: TargetCauses): void {
  for (const cause of [...causes.chosen]) {
    if (causes.uniqueWeight(cause) < cause.cost) causes.remove(cause);
  }
}

/** Takes one cause at a larger subject in place of those within it, if that is cheaper. */
function merge(causes: TargetCauses, subject: Subject): void {
  const before = causes.total;
  const { zoneOf } = causes.tally.index;
  const within = [...causes.chosen].filter((cause) => isWithin(cause.subject, subject, zoneOf));
  if (within.length === 0) return;
  for (const cause of within) causes.remove(cause);
  const best = bestAt(causes, subject);
  const isKept =
    best && within.some((one) => isSame(one.subject, subject) && one.claim === best.claim);
  if (best && !isKept) {
    causes.add(best);
    // What is left may need its own causes still.
    for (const cause of within) {
      if (causes.openWeight(cause) > cause.cost) causes.add(cause);
    }
    if (causes.total < before - leastMergeGain) return;
    for (const cause of [...causes.chosen]) {
      if (cause === best || within.includes(cause)) causes.remove(cause);
    }
  }
  for (const cause of within) causes.add(cause);
}

function claimsOf({ question: { looks } }: TargetTally): readonly number[] {
  return looks.planes === 3 ? [3, 1, 2] : [looks.planes];
}

function subjectsWithTrouble({ index, badSlots }: TargetTally): readonly Subject[] {
  const [nodes, zones] = [new Set<number>(), new Set<number>()];
  for (const slot of badSlots) {
    nodes.add(slot >> 1);
    const zone = index.zoneOf[slot >> 1] ?? -1;
    if (zone !== -1) zones.add(zone);
  }
  return [
    { type: 'cluster' },
    ...(index.zones.length < 2
      ? []
      : Array.from(zones, (zone) => ({ type: 'zones' as const, zone, other: undefined }))),
    ...Array.from(nodes, (node) => ({ type: 'node' as const, node })),
  ];
}
