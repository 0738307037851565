import { equalPathsText } from '../../../api/schema/v1/equal-paths.js';
import { icmpMask } from '../nouns/channel-mask.js';
import type { CauseFlows } from '../nouns/sight.js';
import type { PathSight } from '../life/path-sight.js';
import { areLossesSpreading } from '../life/spreading-losses.js';
import { command } from './command.js';
import { degradedText } from './degraded.js';
import type { PathKind } from './kind.js';
import { by } from './words.js';

/** Paths lose probes without being down. */
export const lossy: PathKind = {
  kind: 'lossy',
  severity: 'degraded',
  mayBeLarge: true,
  alerts: { degraded: 'MeshprobePacketLoss' },
  applies: ({ cause }) => cause.trouble === 'lossy' && cause.subject.type !== 'group',
  // A pair may be the first that shows of a node or of two zones.
  waitsMs: (sight) => (areLossesSpreading(sight.found, sight.explained) ? 60_000 : 10_000),
  text: (sight) =>
    `${degradedText(sight, 'lose probes')}${oneFlowText(sight)}${flowsText(sight.flows)}`,
  next: ({ host, fromHost }) => [
    command`ssh ${fromHost} ping -c 100 -i 0.2 ${host}`,
    command`ssh ${host} ip -s link`,
    command`ssh ${fromHost} ip -s link`,
  ],
  plural: ({ channels }) => `lose probes${by(channels)}`,
  fields: ({ flows }) => (flows ? { flows: { failing: flows.failing, tried: flows.tried } } : {}),
};

/** What is said of the flows: only what was counted. */
function flowsText(flows: CauseFlows | undefined): string {
  if (!flows) return '';
  const { paths, tried, failing, sometimes } = flows;
  const where = paths === 1 ? '' : `on ${paths} paths that were tested `;
  const others =
    sometimes === 0
      ? 'the others always'
      : sometimes === 1
        ? 'one other fails sometimes'
        : `${sometimes} others fail sometimes`;
  return `; ${where}${failing} of ${tried} flows never pass, ${others}: ${equalPathsText(failing, tried)}`;
}

/** What is said of the paths that fail beside: echoes that always take the dead path. */
function oneFlowText({ found, oneFlow }: PathSight): string {
  // Echoes that fail for a moment where some are lost on each path are no such paths.
  const always = icmpMask & ~found.knownChannels;
  const echoes = oneFlow.filter(({ knownChannels }) => (knownChannels & always) !== 0);
  const paths = echoes.reduce((sum, part) => sum + part.paths, 0);
  return paths === 0
    ? ''
    : `; ${paths === 1 ? 'one path never answers' : `${paths} paths never answer`} by ICMP, where each path is one flow`;
}
