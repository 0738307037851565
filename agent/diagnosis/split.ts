import type { Cause, Subject } from './cause.js';
import { leastOpen, type Explanation } from './explanation.js';
import type { Subjects } from './subjects.js';
import { takeBest } from './take-best.js';
import type { Tally } from './tally.js';

/** A change must lower the total cost by more than this. */
export const leastFall = 1;
/** What more nodes than this have in common is no chance. */
const mostNodes = 64;

/** Until then a part is often seen before the whole. */
const leastAgeS = 3;
const sampleSize = 64;

/**
 * Tries for each cause at one or two zones whether smaller causes are cheaper: at nodes, or at two zones and at nodes.
 * @param all the subjects of all causes but pairs
 * @returns whether any were
 */
export function* split(
  tally: Tally,
  explanation: Explanation,
  subjects: Subjects,
  all: readonly Subject[],
): Generator<void, boolean> {
  const nodes = all.filter(({ type }) => type === 'node');
  let hasSplit = false;
  for (const cause of [...explanation.causes]) {
    const { subject } = cause;
    if (subject.type !== 'zones' || meanAgeS(cause, tally) < leastAgeS) continue;
    const parts = subject.other === undefined ? all.filter((one) => isPart(one, subject.zone)) : [];
    const before = explanation.total;
    const known = new Set(explanation.causes);
    for (const first of parts.length > 0 ? [[], parts] : [[]]) {
      explanation.remove(cause);
      yield* takeBest(explanation, candidates(subjects, first));
      const open = nodes.filter((one) => one.type === 'node' && explanation.hasOpenAt(one.node));
      if (open.length <= mostNodes) yield* takeBest(explanation, candidates(subjects, open));
      const added = [...explanation.causes].filter((one) => !known.has(one));
      const fall = before - explanation.total;
      // Of two that explain as much, the one that claims less is the right one.
      if (fall > leastFall || (added.length === 1 && fall > -leastOpen)) {
        hasSplit = true;
        break;
      }
      for (const one of added) explanation.remove(one);
      explanation.add(cause);
    }
  }
  return hasSplit;
}

function candidates(subjects: Subjects, parts: readonly Subject[]) {
  return parts.map((part) => () => subjects.best(part));
}

function meanAgeS({ entries, mask }: Cause, tally: Tally): number {
  let [sum, paths] = [0, 0];
  for (const entry of entries.subarray(0, sampleSize)) {
    const told = (tally.bad[entry] ?? 0) & mask;
    for (let channel = 0; told >> channel !== 0; channel++) {
      if (((told >> channel) & 1) === 0) continue;
      sum += tally.ageS(entry, channel);
      paths++;
    }
  }
  return paths === 0 ? 0 : sum / paths;
}

/** Whether a subject is two zones, of which a given one is one. */
function isPart(subject: Subject, zone: number): boolean {
  return (
    subject.type === 'zones' &&
    subject.other !== undefined &&
    (subject.zone === zone || subject.other === zone)
  );
}
