import type { Candidate } from '../nouns/finding.js';
import type { Facts } from '../evidence/observations.js';
import { targetFindings } from './target-findings.js';
import { targetSightOf, type TargetSight } from '../life/target-sight-of.js';
import { explainTarget, outdatedLooks } from '../search/explain-target.js';
import { explainedByPaths } from '../evidence/explained-by-paths.js';
import { serverLists, type ServerLists } from '../evidence/server-lists.js';
import { shadowedLooks } from '../evidence/shadowed-looks.js';
import type { TargetLooks } from '../evidence/target-looks.js';
import { formerCauses } from '../search/former-causes.js';
import {
  tallyTarget,
  targetKey,
  type TargetQuestion,
  type TargetTally,
} from '../evidence/target-tally.js';

/**
 * Says what is wrong with targets, given what is wrong with paths: a node that is dead or cut off is no
 * witness, and gives no second finding.
 * @returns the findings; and how many targets fail somewhere although none of these, if they are open, explains it
 */
export function* diagnoseTargets(facts: Facts, aboutPaths: readonly Candidate[]) {
  const { input, index, observations } = facts;
  const troubled = yield* observations.targets.troubled();
  const byPaths = explainedByPaths(index, aboutPaths, input.now);
  const hasTargets = input.targets.length > 0 || troubled.length > 0;
  const shadowed = yield* shadowedLooks(
    input,
    input.previous,
    hasTargets ? byPaths.slots() : [],
    hasTargets ? observations.stale : [],
  );
  const { shadows } = shadowed;
  if (troubled.length === 0) return { candidates: [], unexplained: () => 0, shadows };
  const found: TargetSight[] = [];
  const failing: TargetTally[] = [];
  for (const looks of troubled) {
    const definition = input.targets.find(
      ({ name, digest }) => name === looks.name && digest === looks.digest,
    );
    const says = (slot: number): boolean => !shadowed.isFromSilence(looks, slot);
    const tells = shadowed.at(looks, byPaths.of(looks, definition, says));
    const lists = serverLists(looks, definition?.servers ?? []);
    for (const question of questionsOf(looks, lists)) {
      yield;
      const outdated = outdatedLooks(input, question);
      const tally = tallyTarget(index, question, (slot) =>
        tells(slot) === 'counts' && outdated.has(slot) ? 'waits' : tells(slot),
      );
      if (tally.badSlots.length === 0) continue;
      if (question.trouble === 'broken') failing.push(tally);
      yield;
      const former = formerCauses(input, question.trouble, targetKey(question));
      const explanation = yield* explainTarget(tally, former);
      for (const cause of explanation.causes) {
        found.push(targetSightOf(cause, facts, tally, explanation, definition));
        if (found.length % 20 === 0) yield;
      }
    }
  }
  const candidates = yield* targetFindings(found, input);
  const unexplained = (open: readonly Candidate[]) => unexplainedTargets(failing, found, open);
  return { candidates, unexplained, shadows };
}

/** What is asked of a target: whether it fails, is lossy or slow, and the same of each server that fails. */
function* questionsOf(looks: TargetLooks, lists: ServerLists): Generator<TargetQuestion> {
  yield { looks, lists, trouble: 'broken' };
  for (const server of lists.failing()) yield { looks, lists, trouble: 'broken', server };
  for (const trouble of ['lossy', 'slow'] as const) yield { looks, lists, trouble };
}

function unexplainedTargets(
  failing: readonly TargetTally[],
  found: readonly TargetSight[],
  open: readonly Candidate[],
): number {
  const causes = new Set(open.flatMap((one) => one.causes));
  const keyOf = (target: string, slot: number) => `${slot} ${target}`;
  const explained = new Set(
    found
      .filter(({ named }) => causes.has(named))
      .flatMap(({ target, slots }) => slots.map((slot) => keyOf(target, slot))),
  );
  const left = failing.filter(({ question, badSlots }) =>
    badSlots.some((slot) => !explained.has(keyOf(question.looks.name, slot))),
  );
  return new Set(left.map(({ question }) => question.looks.name)).size;
}
