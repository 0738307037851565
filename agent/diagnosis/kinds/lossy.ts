import { equalPathsText } from '../../../api/schema/v1/equal-paths.js';
import { channelsIn, icmpMask } from '../nouns/channel-mask.js';
import type { CauseFlows } from '../nouns/sight.js';
import { nodesOf } from '../nouns/subject.js';
import type { PathSight } from '../life/path-sight.js';
import { command } from './command.js';
import { degradedText } from './degraded.js';
import type { PathKind } from './kind.js';
import { by } from './words.js';

/** A path that became lossy within this time did so lately. Rows tell it some seconds late. */
const latelyS = 15;
/** So many others between the zones of a pair say that it may be these: chance loses probes here and there. */
const leastOfZones = 2;

/** Paths lose probes without being down. */
export const lossy: PathKind = {
  kind: 'lossy',
  mayBeLarge: true,
  alerts: { degraded: 'MeshprobePacketLoss' },
  applies: ({ cause }) => cause.trouble === 'lossy' && cause.subject.type !== 'group',
  // A pair may be the first that shows of a node or of two zones.
  waitsMs: (sight) => (areLossesSpreading(sight) ? 60_000 : 10_000),
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

/**
 * Whether other paths between the zones of a pair, or at its nodes, have become lossy lately, and no larger cause explains them. What
 * begins at a node, between zones or everywhere shows at one path after the other, as it is chance which of them lose
 * their first probes.
 */
function areLossesSpreading({ found, explained: { tally, causes } }: PathSight): boolean {
  if (found.subject.type !== 'pair') return false;
  const { from, to } = tally.observations.entries;
  const { zoneOf } = tally.index;
  const nodes = new Set(nodesOf(found.subject));
  const zones = new Set([...nodes].map((node) => zoneOf[node]));
  const isExplained = new Set(found.entries);
  for (const { subject, entries } of causes)
    if (subject.type !== 'pair' && subject.type !== 'node')
      for (const one of entries) isExplained.add(one);
  let others = 0;
  for (const entry of tally.badEntries) {
    if (isExplained.has(entry)) continue;
    const [a = -1, b = -1] = [from[entry], to[entry]];
    const isAtNode = nodes.has(a) || nodes.has(b);
    const [first, second] = [zoneOf[a], zoneOf[b]];
    const isOfZones =
      zones.has(first) && zones.has(second) && (first === second) === (zones.size === 1);
    if (!isAtNode && !isOfZones) continue;
    const isLately = (channel: number) => tally.ageS(entry, channel) <= latelyS;
    if (!channelsIn(tally.bad[entry] ?? 0).some(isLately)) continue;
    if (isAtNode || ++others >= leastOfZones) return true;
  }
  return false;
}

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
