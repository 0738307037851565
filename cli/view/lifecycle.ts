import type { NodeStatus } from '../../api/schema/status.js';
import { escapeText } from './escape.js';

/** An active node is expected to answer; one that joins, leaves or is excluded is not counted. */
export function isActive({ lifecycle }: NodeStatus): boolean {
  return lifecycle === undefined || lifecycle.phase === 'active';
}

/** ` (excluded: cordoned)` after the name of a node that is not simply active. */
export function lifecycleNote(node: NodeStatus): string {
  const { lifecycle } = node;
  if (!lifecycle || isActive(node)) return '';
  const reason = lifecycle.reason === undefined ? '' : `: ${escapeText(lifecycle.reason)}`;
  return ` (${lifecycle.phase}${reason})`;
}
