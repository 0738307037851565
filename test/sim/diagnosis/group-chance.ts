import { lnChanceOfGroup, mostChance } from '../../../agent/diagnosis/search/prior.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Fault } from '../../faults/fault.js';
import type { Scenario } from './scenarios/scenario.js';

type Told = Pick<Scenario, 'layout'> & {
  readonly input: { readonly index: Pick<Scenario['input']['index'], 'groups' | 'singles'> };
};

/**
 * Why nobody can know that a fault is one of a group; undefined if one can. In a small cluster with many groups so many nodes that fail, each
 * by itself, are often just those of one of the groups. Then each finding must name another one of these nodes.
 */
export function groupChanceReason(
  { layout, input: { index } }: Told,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  const [fault, ...others] = missed;
  if (!fault?.isOfGroup || others.length > 0 || extra.length === 0) return undefined;
  const members = new Set(fault.nodes.map((node) => layout.names[node]));
  const named = new Set(extra.map(({ node }) => node));
  const isEachOne = named.size === extra.length && [...named].every((node) => members.has(node));
  if (!isEachOne) return undefined;
  const groups = fault.isOfTwoValues === true ? index.groups.length : index.singles;
  const chance = lnChanceOfGroup({
    nodes: layout.names.length,
    members: fault.nodes.length,
    others: 0,
  });
  if (chance + Math.log(groups) <= mostChance) return undefined;
  return `${fault.nodes.length} of ${layout.names.length} nodes that fail are often just those of one of ${groups} groups`;
}
