import { observerAt } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { rowChannel } from '../nouns/channel-mask.js';
import { clockErrorS, detectS, hintS } from '../evidence/time-model.js';
import type { Candidate } from '../nouns/finding.js';

/** Two rows that are less far apart tell of the same time. */
const apartS = hintS + clockErrorS;

/** A larger group has so many rows that some of them come soon. */
const mostMembers = 8;
/** So many of them are asked for at a time. */
const mostAsked = 16;
/** In a large cluster such a row is asked for so often in a sweep, until its node has probed all others since. */
const asksInSweep = 4;

/**
 * The nodes that cannot send, as what they cannot reach is known bit by bit, and those that have a value of a label in common with
 * one: their own rows alone tell whether it is one trouble of all of them. Of groups of few nodes.
 */
export function rowsOfLikeNodes(
  candidates: readonly Candidate[],
  { observations, index, times }: Tally,
  now: number,
): readonly string[] {
  const { nodes, groups, singles } = index;
  const { sweepS = 0 } = times.alone[rowChannel] ?? {};
  const outdated = new Set<string>();
  for (const { sinceMs, explained } of candidates) {
    const beganS = (now - sinceMs) / 1000 - detectS;
    for (const { subject, ways, trouble } of explained) {
      if (subject.type !== 'node' || ways !== 'out' || trouble !== 'broken') continue;
      const alike = groups
        .slice(0, singles)
        .filter(({ has, members }) => members.length <= mostMembers && has[subject.node] === 1);
      for (const node of [subject.node, ...alike.flatMap(({ members }) => members)]) {
        const { ageS = 0 } = observerAt(observations, node) ?? {};
        const { name } = nodes[node] ?? {};
        const isOfBefore = ageS > beganS;
        const mayTellMore = ageS > Math.max(hintS, sweepS / asksInSweep) && beganS - ageS < sweepS;
        if (name !== undefined && (isOfBefore || mayTellMore)) outdated.add(name);
        if (outdated.size === mostAsked) return [...outdated];
      }
    }
  }
  return [...outdated];
}

/**
 * The nodes whose rows alone tell of an open pair, while the other end reaches them by a row of long after: the trouble may
 * be repaired, or be one of that direction alone, and their next row decides it. In a large cluster that would come minutes
 * later. Each agent has the row of the other end at another time, so not all ask at once.
 */
export function outdatedRows(
  open: readonly Candidate[],
  { observations, index }: Tally,
): readonly string[] {
  const outdated = new Set<string>();
  for (const { subject, ways, trouble } of open.flatMap(({ explained }) => explained)) {
    if (subject.type !== 'pair' || ways === 'both' || trouble !== 'broken') continue;
    const [from, to] = ways === 'in' ? [subject.from, subject.to] : [subject.to, subject.from];
    const [failing, reaching] = [from, to].map((node) => observerAt(observations, node)?.ageS);
    if (failing === undefined || reaching === undefined) continue;
    const { name } = index.nodes[from] ?? {};
    if (name !== undefined && failing > reaching + apartS) outdated.add(name);
  }
  return [...outdated];
}
