import { degradedTargetText } from './target-words.js';
import type { TargetKind } from './kind.js';

/** The target leaves some probes without an answer. */
export const targetLossy: TargetKind = {
  kind: 'target-lossy',
  mayBeLarge: true,
  alerts: { degraded: 'MeshprobeTargetLossy' },
  applies: ({ trouble }) => trouble === 'lossy',
  waitsMs: () => 10_000,
  text: (sight) => degradedTargetText(sight, 'leaves probes without an answer'),
  lookWords: 'loses probes',
  plural: (target) => `get no answer to some probes of ${target}`,
};
