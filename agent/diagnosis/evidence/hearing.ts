import { freshForMs } from '../../model/row.js';
import type { Facts } from './facts.js';

/** An answer of a node may still arrive this long after it died. */
export const lateAnswerMs = 1000;
/** An older sign of life says nothing about now. */
const heardMs = 20_000;

/** How many observers heard a node's own GETs after its trouble began. */
export function hearingSince(
  { input, index, observations }: Facts,
  node: number,
  beganMs: number,
): number {
  const { own } = observations;
  const oldestMs = Math.max(heardMs, own ? freshForMs(own) : 0);
  const latestMs = Math.min(oldestMs, beganMs - lateAnswerMs);
  const isHeardHere = (input.heardMsAgo.get(index.nodes[node]?.name ?? '') ?? Infinity) < latestMs;
  const heard = observations.heard.get(node);
  // In a large outage nobody hears thousands of nodes.
  if (!heard) return Number(isHeardHere);
  const hearing = new Set(isHeardHere ? [input.localName] : []);
  for (const { observer, msAgo, confirmedMsAgo } of heard) {
    // A row that has not changed for long still says so if it was confirmed just now.
    if (msAgo < beganMs - lateAnswerMs && confirmedMsAgo < oldestMs)
      hearing.add(index.nodes[observer]?.name ?? '');
  }
  return hearing.size;
}
