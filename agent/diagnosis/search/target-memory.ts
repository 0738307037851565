import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { subjectOf } from '../nouns/named-cause.js';
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
  const { looks, trouble } = question;
  const target = targetKey(question);
  for (const { causes, openedMs, sinceMs } of previous?.memory.values() ?? []) {
    if (openedMs.length === 0) continue;
    for (const cause of causes) {
      if (cause.target !== target || cause.trouble !== trouble) continue;
      const subject = subjectOf(cause, index);
      if (!subject) continue;
      const places = nodesAt(subject, index).map((node) => slotsOf(node, cause.channels));
      const recoveredS = recoveredSinceS(question, places, (now - sinceMs) / 1000);
      if (recoveredS === undefined) continue;
      for (const slot of places.flat()) {
        if ((looks.probedS[slot] ?? 0) > recoveredS) outdated.add(slot);
      }
    }
  }
  return outdated;
}

/** The looks of one node tell of the recovery of one; those of more nodes must agree. */
const leastRecovered = 2;

/** When a target was reached again by nodes that did not reach it, in seconds ago. */
function recoveredSinceS(
  { looks, lists, server }: TargetQuestion,
  places: readonly (readonly number[])[],
  sinceS: number,
): number | undefined {
  const ages: number[] = [];
  for (const slots of places) {
    let ageS = -1;
    for (const slot of slots) {
      if (server && lists.digestAt(slot) !== server.list) continue;
      // Losses and slowness have an age of their own.
      const isReached = looks.stateAt(slot) === 'reachable';
      const isServer = server !== undefined && looks.details.has(slot);
      const age = looks.ageS[slot] ?? 0;
      if (isReached && !isServer && age < sinceS - 1) ageS = Math.max(ageS, age);
    }
    if (ageS >= 0) ages.push(ageS);
  }
  const least = Math.min(leastRecovered, places.length);
  if (ages.length < least) return undefined;
  ages.sort((a, b) => b - a);
  return ages[least - 1];
}
