import { namesOf } from '../nouns/named-cause.js';
import type { NamedSight, PathKind } from './kind.js';
import { betweenTwo } from './pair.js';
import { untilSure } from './waits.js';
import { because, by, othersSeen } from './words.js';

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

function text({ sight, direction }: NamedSight): string {
  const { cause, input } = sight;
  const { knownChannels, ways, subject } = cause;
  const [a = '', b] = namesOf(subject, input.index);
  const { failing, of } = othersSeen(sight);
  const how = `${by(knownChannels)}${because(sight)}, as ${failing} of ${of} nodes see it`;
  const isOneWay = ways !== 'both' && direction !== undefined;
  if (b !== undefined) {
    return isOneWay
      ? `zone ${a} cannot reach zone ${b}${how}; the reverse works`
      : `zones ${a} and ${b} cannot reach each other${how}`;
  }
  if (!isOneWay) return `zone ${a} is cut off from the other zones${how}`;
  return ways === 'in'
    ? `the other zones cannot reach zone ${a}${how}; it reaches them`
    : `zone ${a} cannot reach the other zones${how}; they reach it`;
}
