import { slotOf, type TargetTally } from '../evidence/target-tally.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { explain } from './explain.js';
import { degradedWeight, Explanation } from './explanation.js';
import type { FormerCausesOf } from './former-causes.js';
import { firstLookWeight, leastLookWeight, lookWeight, usualDegradedShare } from './prior.js';
import { targetSubjects } from './target-subjects.js';
import { targetWeights } from './weights.js';

/** A cause about a target, and the looks that it explains. */
export interface TargetCause {
  readonly cause: Cause;
  readonly slots: readonly number[];
  /** When it began, in seconds ago: when a tenth of the looks had failed that it alone explains. */
  readonly beganS: number;
}

/** Finds the causes of all bad looks at one target that have the least total cost. */
export function* explainTarget(
  tally: TargetTally,
  formerCauses: FormerCausesOf,
): Generator<void, readonly TargetCause[]> {
  const { question, trouble } = tally;
  const explanation = new Explanation(tally, tally.places);
  const weights = targetWeights(trouble, tally.planes, question.server !== undefined);
  const subjects = targetSubjects(tally, explanation, weights, formerCauses);
  const weigh = (first: number) =>
    explanation.weigh((ofPaths, entry, mask) => {
      for (const channel of channelsIn(mask)) {
        ofPaths[4 * entry + channel] =
          trouble === 'broken'
            ? lookWeight(sizeOf(mask), tally.agains(slotOf(entry, channel)), first)
            : degradedWeight(trouble, usualDegradedShare, tally.ageS(entry, channel));
      }
    });
  yield* weigh(leastLookWeight);
  yield* explain(tally, explanation, subjects);
  if (trouble === 'broken') {
    // The fewer looks nothing explains, the less likely each of them is chance.
    const open = tally.badEntries.filter((node) => explanation.openMask(node) !== 0).length;
    yield* weigh(firstLookWeight(tally.knownNodes, open));
    yield* explain(tally, explanation, subjects);
  }
  return Array.from(explanation.causes, (cause) => withLooks(cause, tally, explanation));
}

function withLooks(cause: Cause, tally: TargetTally, explanation: Explanation): TargetCause {
  const [slots, alone]: [number[], number[]] = [[], []];
  for (const node of cause.entries) {
    for (const channel of channelsIn((tally.bad[node] ?? 0) & cause.knownChannels)) {
      slots.push(slotOf(node, channel));
      if (!explanation.isShared(node, channel)) alone.push(slotOf(node, channel));
    }
  }
  return { cause, slots, beganS: tally.beganS(alone.length > 0 ? alone : slots) };
}
