import { namesOf } from '../nouns/named-cause.js';
import type { NamedSight, PathKind } from './kind.js';
import { betweenTwo } from './pair.js';
import { untilSure } from './waits.js';
import { cannotReach, howText, ofReverse } from './words.js';

/** Paths between two zones fail, or between one and all others. */
export const zones: PathKind = {
  kind: 'zones',
  severity: 'broken',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: ({ cause: { subject, trouble } }) => trouble === 'broken' && subject.type === 'zones',
  waitsMs: untilSure,
  text,
  next: betweenTwo,
  plural: () => 'cannot reach each other',
};

function text(named: NamedSight): string {
  const { cause, input } = named.sight;
  const { ways, subject } = cause;
  const [a = '', b] = namesOf(subject, input.index);
  if (b !== undefined) return cannotReach(named, `zone ${a}`, `zone ${b}`, `zones ${a} and ${b}`);
  const how = howText(named.sight);
  if (ways === 'both') return `zone ${a} is cut off from the other zones${how}`;
  return ways === 'in'
    ? `the other zones cannot reach zone ${a}${how}${ofReverse(named, 'it reaches them')}`
    : `zone ${a} cannot reach the other zones${how}${ofReverse(named, 'they reach it')}`;
}
