import { icmpMask } from '../nouns/channel-mask.js';
import { agentDown } from './agent-down.js';
import { get, rules } from './command.js';
import { endpointDown } from './endpoint-down.js';
import type { PathKind } from './kind.js';
import { beside, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilRestarted } from './waits.js';
import { atTheir, onPlane } from './words.js';

/** GETs alone fail, though the server runs as far as can be told. */
export const httpFiltered: PathKind = {
  kind: 'http-filtered',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: (sight) =>
    isOfNodes(sight) &&
    (sight.cause.channels & icmpMask) === 0 &&
    !agentDown.applies(sight) &&
    !endpointDown.applies(sight),
  waitsMs: untilRestarted,
  text: textOfNodes(({ cannot, label, reverse }, sight) => {
    const { cause, input } = sight;
    // The channel of an echo comes just before that of a GET at the same address.
    const echoesThere = cause.channels >> 1;
    const ping = beside(sight, echoesThere, {
      works: 'ping works',
      fails: 'ping fails too',
      unknown: 'whether ping works is not known',
    });
    return `${cannot('reach')} port ${input.probePort} of ${label()}${onPlane(cause.knownChannels)}${reverse}${ping}`;
  }),
  next: ({ host, endpoint, probePort, namespace }) => [
    get(host, probePort),
    get(endpoint, probePort),
    namespace === undefined ? rules(host) : 'kubectl get networkpolicies -A',
  ],
  plural: ({ probePort, channels }) => `do not answer at port ${probePort}${atTheir(channels)}`,
};
