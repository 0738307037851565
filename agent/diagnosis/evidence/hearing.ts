import { freshForMs } from '../../model/row.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { Facts } from './facts.js';
import { entryBetween } from './observations.js';

/** An answer of a node may still arrive this long after it died. */
export const lateAnswerMs = 1000;
/** An older sign of life says nothing about now. */
const heardMs = 20_000;
/** The verdicts of one trouble come within this time. */
const apartMs = 5000;

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
  const { entries } = observations;
  const verdictMsAgo = (observer: number): number => {
    const entry = entryBetween(observations, observer, node);
    const failing = channelsIn(entries.fail[entry] ?? 0);
    const s = Math.max(0, ...failing.map((channel) => entries.ageS[4 * entry + channel] ?? 0));
    return s === 0 ? Infinity : 1000 * s;
  };
  const hearing = new Set(isHeardHere ? [input.localName] : []);
  for (const { observer, msAgo, confirmedMsAgo } of heard) {
    // It heard the node after its own verdict, which is of this trouble unless it is far older than most.
    const isSince = msAgo < beganMs - lateAnswerMs || verdictMsAgo(observer) < beganMs + apartMs;
    // A row that has not changed for long still says so if it was confirmed just now.
    if (isSince && confirmedMsAgo < oldestMs) hearing.add(index.nodes[observer]?.name ?? '');
  }
  return hearing.size;
}
