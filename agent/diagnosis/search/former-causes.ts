import type { Trouble } from '../nouns/cause.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { subjectOf } from '../nouns/named-cause.js';
import { subjectKey, type Subject } from '../nouns/subject.js';

/** A finding recovers once it explains less than this share of the paths that it explained. */
export const recoveringShare = 0.9;

/** A subject's causes of the last run, each of other channels: whether its finding was open, and whether it was recovering. */
export type FormerCauses = readonly {
  readonly channels: number;
  readonly isOpen: boolean;
  readonly isRecovering: boolean;
}[];

/** The channels of a subject's causes in the last run; undefined if it had none. */
export type FormerCausesOf = (subject: Subject) => FormerCauses | undefined;

/** Reads the memory of the last run for one trouble of paths, or of the target with a key. */
export function formerCauses(
  { previous, index }: Pick<DiagnosisInput, 'previous' | 'index'>,
  trouble: Trouble,
  target?: string,
): FormerCausesOf {
  const known = new Map<number | string, FormerCauses>();
  for (const { causes, seenSinceMs, finding, paths } of previous?.memory.values() ?? []) {
    if (seenSinceMs === undefined) continue;
    const isOpen = finding !== undefined;
    const isRecovering = isOpen && finding.explains < recoveringShare * paths;
    for (const cause of causes) {
      if (cause.trouble !== trouble || cause.target !== target) continue;
      const subject = subjectOf(cause, index);
      if (!subject) continue;
      const { channels } = cause;
      const others = known.get(keyOf(subject))?.filter((one) => one.channels !== channels) ?? [];
      known.set(keyOf(subject), [...others, { channels, isOpen, isRecovering }]);
    }
  }
  return (subject) => (known.size === 0 ? undefined : known.get(keyOf(subject)));
}

/** Of a node its number: there may be thousands of them, and a text would be made for each. */
function keyOf(subject: Subject): number | string {
  return subject.type === 'node' ? subject.node : subjectKey(subject);
}
