import type { ClusterIndex } from './cluster-index.js';
import type { DiagnosisInput } from './diagnosis-input.js';
import { freshForMs } from './missing-observers.js';
import type { Observations } from './observations.js';

/** What was on its way when the trouble began still arrives. */
const slackMs = 2000;

/**
 * Tells whether a peer of the local node was heard until their trouble began, and not since: neither
 * its own GETs come, nor answers with its row. Of two other nodes it is not known.
 *
 * @returns a function of two nodes and of how long the first has not reached the second, in seconds
 */
export function fellSilent(
  input: DiagnosisInput,
  index: ClusterIndex,
  { own }: Observations,
): (from: number, to: number, ageS: number) => boolean {
  const localNode = index.numberOf.get(input.localName) ?? -1;
  return (from, to, ageS) => {
    if (from !== localNode || !own) return false;
    const beganMsAgo = 1000 * ageS;
    // A GET has to be missed before its absence says anything.
    if (beganMsAgo < own.httpIntervalMs + own.httpTimeoutMs) return false;
    const heardMsAgo = input.heardMsAgo.get(index.nodes[to]?.name ?? '') ?? Infinity;
    return heardMsAgo > beganMsAgo - slackMs && heardMsAgo < beganMsAgo + freshForMs(own);
  };
}
