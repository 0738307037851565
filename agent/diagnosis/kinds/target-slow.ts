import { degradedTargetText } from './target-words.js';
import type { TargetKind } from './kind.js';

/** The target answers, and well later than it did. */
export const targetSlow: TargetKind = {
  kind: 'target-slow',
  alerts: { degraded: 'MeshprobeTargetSlow' },
  applies: ({ trouble }) => trouble === 'slow',
  waitsMs: () => 60_000,
  text: (sight) => degradedTargetText(sight, 'has become slow'),
  lookWords: 'answers late',
  plural: (target) => `see that ${target} has become slow`,
};
