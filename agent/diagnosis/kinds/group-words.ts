import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import { withCommas } from '../../model/whole-number.js';
import type { PathSight } from '../life/path-sight.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Finding } from '../nouns/finding.js';
import { commonLabel } from '../nouns/label-values.js';
import { labelText, noGroup, type LabelGroup } from '../nouns/node-groups.js';
import { bothGroups, type Subject } from '../nouns/subject.js';
import { cannotReach, othersSeen } from './words.js';

/** So many other labels with the same nodes are in the sentence. */
const mostLike = 2;

/** The nodes of a group with what they have in common: `the 7 nodes with kernel 6.8.0-45 (os=Debian 13 too)`. */
function nodesText(
  nodes: number,
  group: Pick<LabelGroup, 'label' | 'name' | 'and' | 'like'>,
): string {
  const like = group.like.slice(0, mostLike).join(', ');
  return `the ${withCommas(nodes)} nodes ${commonText(group)}${like === '' ? '' : ` (${like} too)`}`;
}

/** `with kernel 6.8.0-45`, `of zone a with rack r3`, `with kernel 6.8.0-45 and rack r3`. */
function commonText({ label, name, and }: Pick<LabelGroup, 'label' | 'name' | 'and'>): string {
  const first = isZoneLabel(label) ? `of zone ${name}` : `with ${label} ${name}`;
  if (!and) return first;
  return `${first} ${isZoneLabel(label) ? 'with' : 'and'} ${isZoneLabel(and.label) ? 'zone' : and.label} ${and.name}`;
}

/** The sentence about a group: of how many of its nodes, and of all others, `what` is so, as `who` see it, and of how many it is not known. */
export function groupText(sight: PathSight, what: string, who = 'nodes'): string {
  const { subject, knownChannels, ways } = sight.cause;
  const { groups, size } = sight.input.index;
  const number = subject.type === 'group' ? subject.group : -1;
  const group = groups[number] ?? noGroup;
  const { length } = group.members;
  const { groupNodes } = sight.explained.subjects;
  const within = groupNodes.within(number, knownChannels, ways);
  const beside = groupNodes.beside(number, knownChannels, ways);
  const seen = othersSeen(sight);
  const some = within.failing < length ? `${withCommas(within.failing)} of ` : '';
  const others =
    beside.failing === 0 && beside.of >= size - length
      ? 'no other'
      : `${withCommas(beside.failing)} of ${withCommas(beside.of)} others`;
  const unknown = length - within.of;
  const notKnown = unknown === 0 ? '' : `; of ${withCommas(unknown)} it is not known`;
  return `${some}${nodesText(length, group)} and ${others} ${what}, as ${seen.failing} of ${seen.of} ${who} see it${notKnown}`;
}

/** The two groups between which paths fail, as findings name them, in the order of the subject. */
export function cutGroups(subject: Subject, index: ClusterIndex): NonNullable<Finding['groups']> {
  if (subject.type !== 'groups') return [];
  const [a, b] = bothGroups(subject, index);
  const common = b && commonLabel(a, b, index.groupBy);
  if (!common) return [];
  return [a, b].map((group, at) => {
    const [label, value] = [common.label, common.values[at] ?? ''];
    const same = [labelText(group.label, group.name), ...group.like].filter(
      (text) => text !== labelText(label, value),
    );
    const like = same.length > 0 && { like: same };
    return { label, value, nodes: group.members.length, ...like };
  });
}

/** The sentence about two groups that cannot reach each other. */
export function cutText(sight: PathSight): string {
  const { cause, input } = sight;
  const [first = '', second = ''] = cutGroups(cause.subject, input.index).map(
    ({ label, value, nodes, like = [] }) => nodesText(nodes, { label, name: value, like }),
  );
  return cannotReach(sight, first, second);
}
