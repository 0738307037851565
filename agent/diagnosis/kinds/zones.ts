import { namesOf } from '../nouns/named-cause.js';
import type { PathSight } from '../life/path-sight.js';
import type { PathKind } from './kind.js';
import { betweenTwo } from './pair.js';
import { untilSure } from './waits.js';
import { cannotReach, howText, ofReverse } from './words.js';

/** Paths between two zones fail, or between one and all others. */
export const zones: PathKind = {
  kind: 'zones',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: ({ cause: { subject, trouble } }) => trouble === 'broken' && subject.type === 'zones',
  waitsMs: untilSure,
  text,
  next: betweenTwo,
  plural: () => 'cannot reach each other',
};

function text(sight: PathSight): string {
  const { ways, subject } = sight.cause;
  const [a = '', b] = namesOf(subject, sight.input.index);
  if (b !== undefined) return cannotReach(sight, `zone ${a}`, `zone ${b}`, `zones ${a} and ${b}`);
  const how = howText(sight);
  if (ways === 'both') return `zone ${a} is cut off from the other zones${how}`;
  return ways === 'in'
    ? `the other zones cannot reach zone ${a}${how}${ofReverse(sight, 'it reaches them')}`
    : `zone ${a} cannot reach the other zones${how}${ofReverse(sight, 'they reach it')}`;
}
