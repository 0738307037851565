import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Finding } from '../nouns/finding.js';
import { commonLabel } from '../nouns/label-values.js';
import { labelText } from '../nouns/node-groups.js';
import { bothGroups, type Subject } from '../nouns/subject.js';
import type { NamedSight } from './kind.js';
import { nodesText } from './group-words.js';
import { cannotReach } from './words.js';

type CutGroups = NonNullable<Finding['groups']>;

/** The two groups between which paths fail, as findings name them, in the order of the subject. */
export function cutGroups(subject: Subject, index: ClusterIndex): CutGroups {
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
export function cutText(named: NamedSight): string {
  const { cause, input } = named.sight;
  const [first = '', second = ''] = cutGroups(cause.subject, input.index).map(
    ({ label, value, nodes, like = [] }) => nodesText(nodes, { label, name: value, like }),
  );
  return cannotReach(named, first, second);
}
