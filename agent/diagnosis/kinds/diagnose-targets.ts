import type { Candidate } from '../nouns/candidate.js';
import type { Facts } from '../evidence/facts.js';
import type { Trouble } from '../nouns/cause.js';
import { buildTargetFinding, type TargetCandidate } from './build-target-finding.js';
import { explainTarget } from '../search/explain-target.js';
import { ExplainedByPaths } from '../evidence/explained-by-paths.js';
import { foldTargets } from './fold-targets.js';
import { joinServices } from './join-services.js';
import { ServerLists } from '../evidence/server-lists.js';
import { ShadowedLooks } from '../evidence/shadowed-looks.js';
import type { Shadows, Silences } from '../nouns/memory.js';
import type { TargetLooks } from '../evidence/target-looks.js';
import { TargetMemory } from '../search/target-memory.js';
import { formerCauses } from '../search/former-causes.js';
import { targetKey, TargetTally, type TargetQuestion } from '../evidence/target-tally.js';

/** The findings about targets, and what fails without one. */
export interface TargetDiagnosis {
  readonly candidates: readonly Candidate[];
  /** How many targets fail somewhere although none of these findings, if they are open, explains it. */
  readonly unexplained: (open: readonly Candidate[]) => number;
  readonly shadows: Shadows;
  readonly silences: Silences;
}

/**
 * Says what is wrong with targets, given what is wrong with paths: a node that is dead or cut off is no
 * witness, and gives no second finding.
 */
export function* diagnoseTargets(
  facts: Facts,
  aboutPaths: readonly Candidate[],
): Generator<void, TargetDiagnosis> {
  const { input, index, observations } = facts;
  const troubled = yield* observations.targets.troubled();
  const explainedByPaths = new ExplainedByPaths(index, aboutPaths, input.now);
  const hasTargets = input.targets.length > 0 || troubled.length > 0;
  const shadowed = yield* ShadowedLooks.of(
    input,
    hasTargets ? explainedByPaths.slots() : [],
    hasTargets ? observations.stale : [],
  );
  const { shadows, silences } = shadowed;
  if (troubled.length === 0) return { candidates: [], unexplained: () => 0, shadows, silences };
  const memory = new TargetMemory(input);
  const found: TargetCandidate[] = [];
  const failing: TargetTally[] = [];
  for (const looks of troubled) {
    const definition = input.targets.find(
      ({ name, digest }) => name === looks.name && digest === looks.digest,
    );
    const says = (slot: number): boolean => !shadowed.isFromSilence(looks, slot);
    const tells = shadowed.at(looks, explainedByPaths.of(looks, definition, says));
    const lists = new ServerLists(looks, definition?.servers ?? []);
    for (const question of questionsOf(looks, lists)) {
      yield;
      const outdated = memory.outdated(question, lists);
      const tally = new TargetTally(
        index,
        question,
        (slot) => (tells(slot) === 'counts' && outdated.has(slot) ? 'waits' : tells(slot)),
        lists,
      );
      if (tally.badSlots.length === 0) continue;
      if (question.trouble === 'broken') failing.push(tally);
      yield;
      const causes = yield* explainTarget(
        tally,
        formerCauses(input, question.trouble, targetKey(question)),
      );
      for (const cause of causes) {
        found.push(buildTargetFinding(tally, cause, facts, definition));
        if (found.length % 20 === 0) yield;
      }
    }
  }
  const joined = joinServices(found, input.namespace);
  yield;
  // Another definition of the name, which fewer nodes have, gives no second finding of the id.
  const candidates = new Map<string, TargetCandidate>();
  for (const candidate of foldTargets(joined, facts)) {
    if (!candidates.has(candidate.finding.id)) candidates.set(candidate.finding.id, candidate);
  }
  return {
    candidates: [...candidates.values()],
    unexplained: (open) => unexplainedTargets(failing, open),
    shadows,
    silences,
  };
}

/** What is asked of a target: whether it fails, is lossy or slow, and the same of each server that fails. */
function* questionsOf(looks: TargetLooks, lists: ServerLists): Generator<TargetQuestion> {
  yield { looks, trouble: 'broken' };
  for (const { list, server } of lists.failing()) {
    const isUsual = list === lists.usual;
    yield { looks, trouble: 'broken', server: { number: server, list, isUsual } };
  }
  for (const trouble of ['lossy', 'slow'] as const satisfies readonly Trouble[]) {
    yield { looks, trouble };
  }
}

function isAboutTarget(candidate: Candidate): candidate is TargetCandidate {
  return 'sight' in candidate;
}

function unexplainedTargets(failing: readonly TargetTally[], open: readonly Candidate[]): number {
  const explained = new Map<string, Set<number>>();
  const add = ({ sight, slots, joined }: TargetCandidate) => {
    const known = explained.get(sight.target) ?? new Set<number>();
    for (const slot of slots) known.add(slot);
    explained.set(sight.target, known);
    joined.forEach(add);
  };
  for (const candidate of open) if (isAboutTarget(candidate)) add(candidate);
  const left = new Set<string>();
  for (const { question, badSlots } of failing) {
    const { name } = question.looks;
    const known = explained.get(name);
    if (badSlots.some((slot) => !known?.has(slot))) left.add(name);
  }
  return left.size;
}
