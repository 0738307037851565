import type { Observations } from '../evidence/observations.js';
import { hintS, clockErrorS } from '../evidence/time-model.js';
import type { Candidate } from '../nouns/candidate.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';

/** Two rows that are less far apart tell of the same time. */
const apartS = hintS + clockErrorS;

/**
 * The nodes whose rows alone tell of an open pair, while the other end reaches them by a row of long after: the trouble may
 * be repaired, or be one of that direction alone, and their next row decides it. In a large cluster that would come minutes
 * later. Each agent has the row of the other end at another time, so not all ask at once.
 */
export function outdatedRows(
  open: readonly Candidate[],
  { observers, observerOf }: Observations,
  index: ClusterIndex,
): readonly string[] {
  const outdated = new Set<string>();
  for (const { subject, ways, trouble } of open.flatMap(({ explained }) => explained)) {
    if (subject.type !== 'pair' || ways === 'both' || trouble !== 'broken') continue;
    const [from, to] = ways === 'in' ? [subject.from, subject.to] : [subject.to, subject.from];
    const [failing, reaching] = [from, to].map((node) => observers[observerOf[node] ?? -1]?.ageS);
    if (failing === undefined || reaching === undefined) continue;
    const { name } = index.nodes[from] ?? {};
    if (name !== undefined && failing > reaching + apartS) outdated.add(name);
  }
  return [...outdated];
}
