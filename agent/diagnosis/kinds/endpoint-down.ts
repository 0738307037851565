import { endpointHttpMask, endpointIcmpMask } from '../nouns/channel-mask.js';
import { addresses, get, ping, podsOf } from './command.js';
import type { PathKind } from './kind.js';
import { isOfNodes, pingBeside, textOfNodes } from './of-nodes.js';
import { untilRestarted } from './waits.js';

/** The server at its endpoint does not answer. */
export const endpointDown: PathKind = {
  kind: 'endpoint-down',
  severity: 'broken',
  alerts: { broken: 'MeshprobeAgentDown' },
  isAboutAgent: true,
  applies: (sight) =>
    isOfNodes(sight) &&
    sight.cause.subject.type === 'node' &&
    sight.cause.channels === endpointHttpMask &&
    sight.cause.ways === 'in',
  waitsMs: untilRestarted,
  text: textOfNodes(({ cannot, label, endpoint }, named) => {
    const port = named.sight.input.probePort;
    const beside = pingBeside(
      named,
      endpointIcmpMask,
      'it still answers ping',
      'whether it answers ping',
    );
    return `${cannot('reach')} the server at the endpoint of ${label(`${endpoint}:${port}`)}${beside}`;
  }),
  next: (about) => {
    const { endpoint } = addresses(about);
    return [podsOf(about), get(endpoint, about.probePort), ping(endpoint)];
  },
  plural: () => 'have an endpoint whose server does not answer',
};
