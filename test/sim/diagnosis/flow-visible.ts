import type { Fault } from '../../faults/fault.js';
import { flowLossOf } from '../../faults/trouble.js';
import type { Scenario } from './scenarios/scenario.js';

/** Whether some flows meet a fault and the others do not. */
export function isFlowFault({ trouble }: Fault): boolean {
  return trouble.flowLoss !== undefined;
}

/**
 * The reason, where nobody can know of the flows: in rows of one moment all paths by HTTP of a fault that takes half of
 * them are down, or too new, so that none is lossy.
 */
export function flowReason(
  { input, conditions: { names } }: Pick<Scenario, 'input' | 'conditions'>,
  missed: readonly Fault[],
): string | undefined {
  const numberOf = new Map(names.map((name, number) => [name, number]));
  const isSeenBy = ({ trouble }: Fault) =>
    [...input.rows].some(
      ({ row, freshness }) =>
        freshness === 'fresh' &&
        row.paths.some(({ node, plane, protocol, state }) => {
          const [from, to] = [numberOf.get(row.observer) ?? -1, numberOf.get(node) ?? -1];
          if (protocol !== 'http' || state !== 'lossy') return false;
          return flowLossOf([trouble], from, to, plane) > 0;
        }),
    );
  const areDown = missed.filter(isFlowFault).every((fault) => !isSeenBy(fault));
  return areDown ? 'all paths of which most flows never pass are down at the moment' : undefined;
}
