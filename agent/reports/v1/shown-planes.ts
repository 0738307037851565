import type { Node } from '../../model/node.js';
import type { Plane } from '../../model/path.js';
import type { Target } from '../../model/target.js';

/** Why nothing is known of a target that is probed from endpoints only. */
export const noEndpointListed = 'no listed node has an endpoint';

/** Whether nodes are listed and none of them has an endpoint. Of an empty list nobody knows. */
export function lacksEndpoints(nodes: readonly Node[]): boolean {
  return nodes.length > 0 && nodes.every(({ endpoint }) => endpoint.length === 0);
}

/**
 * The planes of a target that there is something to tell of: without the endpoint plane where no listed node has an
 * endpoint. A target that is probed from endpoints only keeps it, to say why nothing is known.
 */
export function shownPlanes(
  { from }: Pick<Target, 'from'>,
  nodes: readonly Node[],
): readonly Plane[] {
  return from.length > 1 && lacksEndpoints(nodes)
    ? from.filter((plane) => plane !== 'endpoint')
    : from;
}
