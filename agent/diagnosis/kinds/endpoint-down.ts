import { hostAndPort } from '../../model/host-and-port.js';
import { endpointHttpMask, endpointIcmpMask } from '../nouns/channel-mask.js';
import { get, ping, podsOf } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilRestarted } from './waits.js';
import { pingFailsAnyway } from './words.js';

/** The server at its endpoint does not answer. */
export const endpointDown: PathKind = {
  kind: 'endpoint-down',
  alerts: { broken: 'MeshprobeAgentDown' },
  isAboutAgent: true,
  applies: (sight) =>
    isOfNodes(sight) &&
    sight.cause.subject.type === 'node' &&
    sight.cause.channels === endpointHttpMask &&
    sight.cause.ways === 'in',
  waitsMs: untilRestarted,
  text: textOfNodes(({ cannot, label, endpoint }, sight) => {
    const port = sight.input.probePort;
    const ping = beside(sight, endpointIcmpMask, {
      works: 'it still answers ping',
      fails: sight.isAboutServers ? pingFailsAnyway : 'it answers no ping either',
      unknown: 'whether it answers ping is not known',
    });
    return `${cannot('reach')} the server at the endpoint of ${label(hostAndPort(endpoint, port))}${ping}`;
  }),
  next: (about) => [podsOf(about), get(about.endpoint, about.probePort), ping(about.endpoint)],
  plural: () => 'have an endpoint whose server does not answer',
};
