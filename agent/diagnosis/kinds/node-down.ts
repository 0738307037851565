import { allMask } from '../nouns/channel-mask.js';
import { nodeOf, ping } from './command.js';
import type { PathKind } from './kind.js';
import { isLocal, isOfNodes, textOfNodes } from './of-nodes.js';
import { untilSilenceIsSure } from './waits.js';
import { silentWords } from './words.js';

/** All paths to it fail, echoes too, which do so for its sake, and it sends nothing. */
export const nodeDown: PathKind = {
  kind: 'node-down',
  alerts: { broken: 'MeshprobeNodeDown' },
  applies: (sight) =>
    isOfNodes(sight) &&
    sight.cause.channels === allMask &&
    sight.cause.ways === 'in' &&
    !sight.cause.isPartial &&
    !sight.life.lives &&
    !isLocal(sight),
  waitsMs: untilSilenceIsSure,
  text: textOfNodes(
    ({ cannot, label, atAll }) => `${cannot('reach')} ${label()}${atAll}${silentWords}`,
  ),
  next: (about) => [nodeOf(about), ping(about.host), ping(about.endpoint)],
  plural: () => 'are down: nobody who looks reaches them, and nothing was heard from them since',
  isSilent: true,
};
