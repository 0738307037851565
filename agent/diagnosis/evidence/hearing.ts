import { freshForMs } from '../../model/row.js';
import type { Facts } from './facts.js';

/** An answer of a node may still arrive this long after it died. */
export const lateAnswerMs = 1000;
/** An older sign of life says nothing about now. */
const heardMs = 20_000;

/** The logarithm of the chance that is taken for certainty, by how many heard the node. */
const sureLog = [-4.6, -7] as const;
/** Even after a whole interval one GET may have been lost or late. */
const mostShare = 0.99;

/** How many observers heard a node's own GETs after its trouble began. */
export function hearingSince(
  { input, index, observations }: Facts,
  node: number,
  beganMs: number,
): number {
  const { own } = observations;
  const latestMs = Math.min(Math.max(heardMs, own ? freshForMs(own) : 0), beganMs - lateAnswerMs);
  const isHeardHere = (input.heardMsAgo.get(index.nodes[node]?.name ?? '') ?? Infinity) < latestMs;
  const heard = observations.heard.get(node);
  // In a large outage nobody hears thousands of nodes.
  if (!heard) return Number(isHeardHere);
  const hearing = new Set(isHeardHere ? [input.localName] : []);
  for (const { observer, msAgo } of heard) {
    if (msAgo < latestMs) hearing.add(index.nodes[observer]?.name ?? '');
  }
  return hearing.size;
}

/**
 * Whether a node's silence says that it sends nothing. Each observer gets a GET of each node once in
 * an interval, so the chance that none came falls with every observer that would tell, and with time.
 * @param beganMs how long ago the node's trouble began
 * @param hearing how many observers heard it since
 */
export function isSilenceSure(
  { input, index, observations }: Facts,
  node: number,
  beganMs: number,
  hearing: number,
): boolean {
  const { own, observers } = observations;
  const enough = sureLog[hearing];
  const wasHeard = input.heardMsAgo.get(index.nodes[node]?.name ?? '') !== undefined;
  if (enough === undefined || !own || !wasHeard) return true;
  const listeningMs = beganMs - lateAnswerMs;
  let log = 0;
  for (const observer of observers) {
    const share = (listeningMs - 1000 * observer.ageS) / own.httpIntervalMs;
    if (share > 0) log += Math.log(1 - Math.min(share, mostShare));
  }
  return log <= enough;
}
