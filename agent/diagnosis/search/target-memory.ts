import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { placed } from '../nouns/named-cause.js';
import { nodesAt } from '../nouns/subject.js';
import { slotsOf, targetKey, type TargetQuestion } from '../evidence/target-tally.js';

/**
 * The looks that are from before a finding of the last runs recovered. Where the target is reached again, a failure
 * that was seen before says nothing any more: with many nodes the next look takes its time.
 */
export function outdatedLooks(
  { previous, index, now }: DiagnosisInput,
  question: TargetQuestion,
): ReadonlySet<number> {
  const outdated = new Set<number>();
  const key = targetKey(question);
  for (const { causes, openedMs, sinceMs } of previous?.memory.values() ?? []) {
    const its = causes.filter(
      ({ target, trouble }) => target === key && trouble === question.trouble,
    );
    for (const { subject, channels } of openedMs.length === 0 ? [] : placed(its, index)) {
      const places = nodesAt(subject, index).map((node) => slotsOf(node, channels));
      const recoveredS = recoveredSinceS(question, places, (now - sinceMs) / 1000);
      for (const slot of places.flat())
        if ((question.looks.probedS[slot] ?? 0) > recoveredS) outdated.add(slot);
    }
  }
  return outdated;
}

/** The looks of one node tell of the recovery of one; those of more nodes must agree. */
const leastRecovered = 2;

/** When a target was reached again by nodes that did not reach it, in seconds ago; Infinity if it was not. */
function recoveredSinceS(
  { looks, lists, server }: TargetQuestion,
  places: readonly (readonly number[])[],
  sinceS: number,
): number {
  const isAgain = (slot: number) =>
    (!server || (lists.digestAt(slot) === server.list && !looks.details.has(slot))) &&
    // Losses and slowness have an age of their own.
    looks.stateAt(slot) === 'reachable' &&
    (looks.ageS[slot] ?? 0) < sinceS - 1;
  const ages = places.flatMap((slots) => {
    const again = slots.filter(isAgain).map((slot) => looks.ageS[slot] ?? 0);
    return again.length === 0 ? [] : Math.max(...again);
  });
  ages.sort((a, b) => b - a);
  return ages[Math.min(leastRecovered, places.length) - 1] ?? Infinity;
}
