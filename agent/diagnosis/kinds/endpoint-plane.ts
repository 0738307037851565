import { endpointMask, hostMask } from '../nouns/channel-mask.js';
import { command, ping, podsOf } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilSure } from './waits.js';

/** Its paths at endpoints fail by both protocols: overlay, routes, policy or encryption. */
export const endpointPlane: PathKind = {
  kind: 'endpoint-plane',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: (sight) => isOfNodes(sight) && sight.cause.channels === endpointMask,
  waitsMs: untilSure,
  text: textOfNodes(
    ({ cannot, label, endpoint, reverse }, sight) =>
      `${cannot('reach')} the endpoint of ${label(endpoint)}${reverse}${beside(sight, hostMask, { works: 'its node IP answers' })}`,
  ),
  next: (about) => {
    const { endpoint, fromHost } = about;
    if (about.type !== 'cluster')
      return [podsOf(about), ping(endpoint), command`ssh ${fromHost} ip route get ${endpoint}`];
    const inCluster = about.namespace !== undefined;
    return [inCluster ? 'kubectl -n kube-system get pods -o wide' : undefined, ping(endpoint)];
  },
  plural: () => 'do not answer at their endpoint',
};
