import { allMask, httpMask, icmpMask, isPlane } from '../nouns/channel-mask.js';
import { get, nodeOf, ping, rules } from './command.js';
import type { PathKind } from './kind.js';
import { directionOf } from './direction.js';
import { nodeDown } from './node-down.js';
import { isOfNodes, textOfNodes } from './of-nodes.js';
import { untilSure } from './waits.js';

/** All paths to it fail, or all from it, though it lives. */
export const nodeIsolated: PathKind = {
  kind: 'node-isolated',
  alerts: { broken: 'MeshprobeNodeDown' },
  applies: (sight) => {
    if (!isOfNodes(sight)) return false;
    const { channels } = sight.cause;
    if (channels === allMask) return !nodeDown.applies(sight);
    return !isPlane(channels) && (channels & icmpMask) !== 0 && (channels & httpMask) !== 0;
  },
  waitsMs: untilSure,
  text: textOfNodes(({ cannot, label, atAll, reverse }, sight) => {
    const what = `${cannot('reach')} ${label()}${atAll}${reverse}`;
    const sent =
      (sight.cause.knownChannels & icmpMask) === 0 ? 'GETs to it are' : 'what is sent to it is';
    if (directionOf(sight) === 'inbound') return `${what}: ${sent} lost or refused`;
    return `${what}${reverse === '' ? ', but it is alive' : '; it is alive'}`;
  }),
  next: (about) => {
    const { host, probePort } = about;
    return [ping(host), rules(host), nodeOf(about) ?? get(host, probePort)];
  },
  plural: () => 'are not reached or reach nobody, but are alive',
};
