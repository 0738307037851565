import { freshForMs } from '../../model/row.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Observations } from './observations.js';

/** Packets that were on their way when the trouble began still arrive. */
const onTheWayMs = 2000;

/**
 * Tells whether the local node heard a peer until their trouble began, and nothing since: no GET of
 * the peer, and no answer with its row. For two other nodes this is not known, so it is false.
 * Without it random clusters gave the same findings (600 scenarios), but the end of a cut pair, which never gets the row of the
 * other end, had its own report alone, and that must last long before it is believed.
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
    // A GET must be overdue before its absence means anything.
    if (beganMsAgo < own.httpIntervalMs + own.httpTimeoutMs) return false;
    const heardMsAgo = input.heardMsAgo.get(index.nodes[to]?.name ?? '') ?? Infinity;
    return heardMsAgo > beganMsAgo - onTheWayMs && heardMsAgo < beganMsAgo + freshForMs(own);
  };
}
