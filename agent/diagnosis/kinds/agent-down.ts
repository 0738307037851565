import type { PathSight } from '../life/path-sight.js';
import { hostAndPort } from '../../model/host-and-port.js';
import {
  endpointHttpMask,
  endpointMask,
  hostHttpMask,
  hostIcmpMask,
  httpMask,
} from '../nouns/channel-mask.js';
import { get, listeners, nodeOf, ping, podsOf } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isLocal, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilRestarted, untilSilenceIsSure } from './waits.js';
import { pingFailsAnyway, silentWords } from './words.js';

/**
 * Its agent does not answer and sends nothing. Nor does its endpoint answer, where the agent serves it too, both servers are down
 * or nobody knows of the host, which may be well.
 */
export const agentDown: PathKind = {
  kind: 'agent-down',
  alerts: { broken: 'MeshprobeAgentDown' },
  isAboutAgent: true,
  // Whose own GETs arrive has an agent that runs, so its port is filtered.
  applies: (sight) =>
    isOfNodes(sight) &&
    sight.cause.subject.type === 'node' &&
    (sight.isAboutServers
      ? (sight.cause.channels & hostHttpMask) !== 0
      : sight.cause.channels === hostHttpMask || sight.cause.channels === httpMask) &&
    sight.cause.ways === 'in' &&
    !sight.life.lives &&
    !isLocal(sight),
  waitsMs: (sight) =>
    sight.isAboutServers || sight.cause.channels === httpMask
      ? Math.max(untilRestarted(sight), untilSilenceIsSure(sight))
      : untilRestarted(sight),
  text: textOfNodes(({ cannot, label, host }, sight) => {
    const { cause, input, isAboutServers } = sight;
    const isEndpointToo = (cause.knownChannels & endpointHttpMask) !== 0;
    const what = `the agent of ${label(hostAndPort(host, input.probePort))}`;
    const servers = isEndpointToo ? `${what} or the server at its endpoint` : what;
    return `${cannot('reach')} ${servers}${isAboutServers ? silentWords : ''}${ofHost(sight)}`;
  }),
  next: (about) => {
    const { host, probePort } = about;
    if (about.mayBeDown) return [nodeOf(about), ping(host), podsOf(about) ?? get(host, probePort)];
    return [podsOf(about), get(host, probePort), listeners(host, probePort)];
  },
  plural: () => 'have no agent that answers',
  isSilent: true,
};

function ofHost(sight: PathSight): string {
  const { isAboutServers } = sight;
  const ofEndpoint = beside(sight, endpointMask, { works: 'its endpoint answers' });
  if (isAboutServers && ofEndpoint !== '') return ofEndpoint;
  return beside(sight, hostIcmpMask, {
    works: 'the host itself answers ping',
    fails: isAboutServers ? pingFailsAnyway : 'the host answers no ping either',
    unknown: 'whether the host answers ping is not known',
  });
}
