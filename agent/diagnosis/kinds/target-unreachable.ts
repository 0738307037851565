import { brokenTargetText, untilLooked } from './target-words.js';
import type { TargetKind } from './kind.js';
import { targetDown } from './target-down.js';

/** Some do not reach the target: one node, one zone, or those that look from one plane. */
export const targetUnreachable: TargetKind = {
  kind: 'target-unreachable',
  mayBeLarge: true,
  alerts: { broken: 'MeshprobeTargetUnreachable' },
  applies: (sight) => sight.trouble === 'broken' && !targetDown.applies(sight),
  waitsMs: untilLooked,
  text: brokenTargetText,
  plural: (target) => `cannot reach ${target}`,
};
