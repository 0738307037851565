import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { nodesOf } from '../nouns/subject.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';

/** A path that became lossy within this time did so lately. Rows tell it some seconds late. */
const latelyS = 15;
/** So many others between the zones of a pair say that it may be these: chance loses probes here and there. */
const leastOfZones = 2;

/**
 * Whether other paths between the zones of a pair, or at its nodes, have become lossy lately, and no larger cause explains them. What
 * begins at a node, between zones or everywhere shows at one path after the other, as it is chance which of them lose
 * their first probes.
 */
export function areLossesSpreading(
  { subject, entries: own }: Cause,
  { tally, causes }: ExplainedTrouble,
): boolean {
  if (subject.type !== 'pair') return false;
  const { from, to } = tally.observations.entries;
  const { zoneOf } = tally.index;
  const nodes = new Set(nodesOf(subject));
  const zones = new Set([...nodes].map((node) => zoneOf[node]));
  const isExplained = new Set(own);
  for (const { subject: of, entries } of causes)
    if (of.type !== 'pair' && of.type !== 'node') for (const one of entries) isExplained.add(one);
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
