import type { TargetSight } from '../life/target-sight-of.js';
import { besideNodes, fromPlane, whatFails } from './target-words.js';

/**
 * The text about a target that answers, and not as it should.
 * @param how such as `has become slow`
 */
export function degradedTargetText(sight: TargetSight, how: string): string {
  const { subject, seen, name } = sight;
  const { type } = subject;
  const { failing, of } = type === 'cluster' ? seen.all : seen.inside;
  const whom =
    type === 'node'
      ? name
      : `${failing} of ${of} nodes${type === 'zones' ? ` of zone ${name}` : ''}`;
  const see = type === 'node' || failing === 1 ? 'sees' : 'see';
  return `${whatFails(sight)} ${how}${fromPlane(sight)}, as ${whom} ${see} it${besideNodes(sight)}`;
}
