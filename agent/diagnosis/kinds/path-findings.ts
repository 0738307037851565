import type { Candidate } from '../nouns/candidate.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { foldKeyOf, splitMany } from './fold.js';
import { foldedFinding } from './folded-finding.js';
import type { NamedSight } from './kind.js';
import { pathFinding } from './path-finding.js';

/** Writes the findings: one for each cause, or one for many of a kind. Each has an id of its own. */
export function* pathFindings(
  sights: readonly NamedSight[],
  previous: DiagnosisInput['previous'],
): Generator<void, Candidate[]> {
  const { alone, folded } = splitMany(sights, foldKeyOf, previous);
  yield;
  const candidates = new Map<string, Candidate>();
  const add = (candidate: Candidate) => {
    const { id, direction = 'unknown' } = candidate.finding;
    const isTaken = candidates.has(id);
    const key = isTaken ? `${id}:${direction}` : id;
    const finding = isTaken ? { ...candidate.finding, id: key } : candidate.finding;
    candidates.set(key, { ...candidate, finding });
  };
  for (const sight of alone) {
    add(pathFinding(sight));
    yield;
  }
  for (const [id, group] of folded) {
    add(yield* foldedFinding(id, group));
    yield;
  }
  return [...candidates.values()];
}
