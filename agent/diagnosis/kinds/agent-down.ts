import { hostHttpMask, hostIcmpMask } from '../nouns/channel-mask.js';
import { addresses, command, get, podsOf } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isLocal, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilRestarted } from './waits.js';

/** Its agent does not answer and sends nothing. The host may be well. */
export const agentDown: PathKind = {
  kind: 'agent-down',
  severity: 'broken',
  alerts: { broken: 'MeshprobeAgentDown' },
  isAboutAgent: true,
  // Whose own GETs arrive has an agent that runs, so its port is filtered.
  applies: (sight) =>
    isOfNodes(sight) &&
    sight.cause.subject.type === 'node' &&
    sight.cause.channels === hostHttpMask &&
    sight.cause.ways === 'in' &&
    !sight.lives &&
    !isLocal(sight),
  waitsMs: untilRestarted,
  text: textOfNodes(({ cannot, label, host }, named) => {
    const port = named.sight.input.probePort;
    const ping = beside(named, hostIcmpMask, {
      works: 'the host itself answers ping',
      fails: 'the host answers no ping either',
      unknown: 'whether the host answers ping is not known',
    });
    return `${cannot('reach')} the agent of ${label(`${host}:${port}`)}${ping}`;
  }),
  next: (about) => {
    const { host } = addresses(about);
    const { probePort } = about;
    const listeners = command`ssh ${host} sudo ss -ltnp sport = :${String(probePort)}`;
    return [podsOf(about), get(host, probePort), listeners];
  },
  plural: () => 'have no agent that answers',
  isSilent: true,
};
