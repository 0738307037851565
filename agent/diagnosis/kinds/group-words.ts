import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import type { LabelGroup } from '../nouns/node-groups.js';
import type { PathSight } from '../life/path-sight.js';
import { nodesAt } from '../nouns/subject.js';
import { withCommas } from '../../model/whole-number.js';
import { othersSeen } from './words.js';

/** So many other labels with the same nodes are in the sentence. */
const mostLike = 2;

/** The nodes of a group with what they have in common: `the 7 nodes with kernel 6.8.0-45 (os=Debian 13 too)`. */
export function nodesText(
  nodes: number,
  group: Pick<LabelGroup, 'label' | 'name' | 'and' | 'like'>,
): string {
  const like = group.like.slice(0, mostLike).join(', ');
  return `the ${withCommas(nodes)} nodes ${commonText(group)}${like === '' ? '' : ` (${like} too)`}`;
}

/** Those that have its trouble: `6 of the 7 nodes with kernel 6.8.0-45`. */
function groupName(sight: PathSight): string {
  const { subject } = sight.cause;
  const { index } = sight.input;
  if (subject.type !== 'group') return '';
  const group = index.groups[subject.group];
  if (!group) return '';
  const { length } = group.members;
  const { failing } = sight.within();
  return `${failing < length ? `${withCommas(failing)} of ` : ''}${nodesText(length, group)}`;
}

/** `with kernel 6.8.0-45`, `of zone a with rack r3`, `with kernel 6.8.0-45 and rack r3`. */
function commonText({ label, name, and }: Pick<LabelGroup, 'label' | 'name' | 'and'>): string {
  const first = isZoneLabel(label) ? `of zone ${name}` : `with ${label} ${name}`;
  if (!and) return first;
  return `${first} ${isZoneLabel(label) ? 'with' : 'and'} ${isZoneLabel(and.label) ? 'zone' : and.label} ${and.name}`;
}

/**
 * The sentence about a group.
 * @param what what is so of each of its nodes, such as `do not answer ping`
 * @param who who sees it
 */
export function groupText(sight: PathSight, what: string, who = 'nodes'): string {
  const { failing, of } = othersSeen(sight);
  return `${groupName(sight)} and ${othersText(sight)} ${what}, as ${failing} of ${of} ${who} see it${notKnownText(sight)}`;
}

/** Of how many nodes of the group it is not known, as their rows are missing. */
function notKnownText(sight: PathSight): string {
  const unknown = nodesAt(sight.cause.subject, sight.input.index).length - sight.within().of;
  return unknown === 0 ? '' : `; of ${withCommas(unknown)} it is not known`;
}

/** How many of the others have the same, of those of which that is known. */
function othersText(sight: PathSight): string {
  const { failing, of } = sight.beside();
  const { index } = sight.input;
  const isOfAll = failing === 0 && of >= index.size - nodesAt(sight.cause.subject, index).length;
  return isOfAll ? 'no other' : `${withCommas(failing)} of ${withCommas(of)} others`;
}
