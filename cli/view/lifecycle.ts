import type { NodeStatus } from '../../api/schema/status.js';
import { escapeText } from './escape.js';

/** Whether a node is active. Only active nodes are expected to answer and are counted. */
export function isActive({ lifecycle }: NodeStatus): boolean {
  return lifecycle === undefined || lifecycle.phase === 'active';
}

/** The note after the name of a node that is not active, such as ` (excluded: cordoned)`. */
export function lifecycleNote(node: NodeStatus): string {
  const { lifecycle } = node;
  if (!lifecycle || isActive(node)) return '';
  const reason = lifecycle.reason === undefined ? '' : `: ${escapeText(lifecycle.reason)}`;
  return ` (${lifecycle.phase}${reason})`;
}
