import type { Fault } from '../../faults/fault.js';
import { flowLossOf } from '../../faults/trouble.js';
import type { Scenario } from './scenarios/scenario.js';
import { isFlowFault, numbersOf } from './visible.js';

/**
 * The reason, where nobody can know of the flows: in rows of one moment all paths by HTTP of a fault that takes half of
 * them are down, or too new, so that none is lossy.
 */
export function flowReason(
  { input, conditions: { names } }: Pick<Scenario, 'input' | 'conditions'>,
  missed: readonly Fault[],
): string | undefined {
  const numberOf = numbersOf(names);
  const isSeenBy = ({ trouble }: Fault) =>
    [...input.rows].some(
      ({ row, freshness }) =>
        freshness === 'fresh' &&
        row.paths.some(({ node, plane, protocol, state }) => {
          if (protocol !== 'http' || state !== 'lossy') return false;
          return flowLossOf([trouble], numberOf(row.observer), numberOf(node), plane) > 0;
        }),
    );
  const areDown = missed.filter(isFlowFault).every((fault) => !isSeenBy(fault));
  return areDown ? 'all paths of which most flows never pass are down at the moment' : undefined;
}
