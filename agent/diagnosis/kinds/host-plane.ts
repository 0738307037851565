import { endpointMask, hostMask } from '../nouns/channel-mask.js';
import { get, ping, rules } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilSure } from './waits.js';

/** Its paths at node IPs fail by both protocols. */
export const hostPlane: PathKind = {
  kind: 'host-plane',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: (sight) => isOfNodes(sight) && sight.cause.channels === hostMask,
  isSilent: true,
  waitsMs: untilSure,
  text: textOfNodes(
    ({ cannot, label, reverse }, sight) =>
      `${cannot('reach')} the node IP of ${label()}${reverse}${beside(sight, endpointMask, { works: 'its endpoint answers' })}`,
  ),
  next: ({ host, probePort }) => [ping(host), get(host, probePort), rules(host)],
  plural: () => 'do not answer at their node IP',
};
