import { httpMask } from '../nouns/channel-mask.js';
import { ping, rules } from './command.js';
import type { PathKind } from './kind.js';
import { beside, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilSure } from './waits.js';
import { atTheir, onPlane } from './words.js';

/** Echoes alone fail. */
export const icmpFiltered: PathKind = {
  kind: 'icmp-filtered',
  alerts: { broken: 'MeshprobePlaneBroken' },
  applies: (sight) => isOfNodes(sight) && (sight.cause.channels & httpMask) === 0,
  waitsMs: untilSure,
  text: textOfNodes(
    ({ cannot, label, reverse }, sight) =>
      `${cannot('ping')} ${label()}${onPlane(sight.cause.knownChannels)}${reverse}${beside(sight, httpMask, { works: 'HTTP works' })}`,
  ),
  next: ({ host, endpoint }) => [ping(host), ping(endpoint), rules(host)],
  plural: ({ channels }) => `do not answer ping${atTheir(channels)}`,
};
