import { brokenTargetText, untilLooked } from './target-words.js';
import type { TargetKind } from './kind.js';

/** Nobody who looked reaches the target. */
export const targetDown: TargetKind = {
  kind: 'target-down',
  alerts: { broken: 'MeshprobeTargetDown' },
  applies: ({ trouble, subject, seen: { all } }) =>
    trouble === 'broken' && subject.type === 'cluster' && all.failing >= all.of,
  waitsMs: untilLooked,
  text: brokenTargetText,
};
