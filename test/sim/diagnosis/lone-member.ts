import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Fault } from '../../faults/fault.js';
import type { Scenario } from './scenarios/scenario.js';

/**
 * Why nobody can know that a fault is one of a group; undefined if one can. What only the nodes' own rows show is known of
 * one node where the local agent is of the group and has no other row: it says so of itself.
 */
export function loneMemberReason(
  { layout, view }: Pick<Scenario, 'layout' | 'view'>,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  const [fault, ...others] = missed;
  const [finding, ...more] = extra;
  if (!fault?.isOfGroup || others.length > 0 || !finding || more.length > 0) return undefined;
  const { localName, hasRow } = view;
  const isAlone = layout.names.every((name) => name === localName || !hasRow(name));
  const isMember = fault.nodes.some((node) => layout.names[node] === localName);
  if (!isAlone || !isMember || finding.node !== localName) return undefined;
  return `${fault.what} is known of one of its nodes, with one row`;
}
