import type { Candidate, Finding } from '../nouns/finding.js';
import type { FindingMemory, PastCause } from '../nouns/memory.js';
import type { Facts } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { besideBroken } from './beside-broken.js';
import type { movedCauses } from './moved-causes.js';
import { continues, isAtSame, isOfBefore, recoveringCauses, leftoverMs } from './recovering.js';

/** A cause must stand for this long: the first time with one witness of more, the other with many or all. */
const [longestStandMs, shortestStandMs] = [2000, 500];
/** So many witnesses are many. */
const manyWitnesses = 8;
/** At default intervals nearly all paths of a fault are known to fail after this time. */
const shownAfterMs = 4500;
/** In a cluster of no more nodes the next row may make another cause of one that is sure, so it must be sure for some time. */
const confirmedNodes = 256;
/** So long it must be sure without a gap. */
const confirmMs = 500;

/** An agent that has run no longer than this may have rows from before a repair, and no memory of what was. */
const newForMs = 10_000;

/** Since when a cause is seen without a gap, and since when it is sure; undefined: it is not. */
export interface SuspicionTimes {
  readonly seenSinceMs: number;
  readonly sureSinceMs: number | undefined;
}

/**
 * Tells of each candidate when it opens a finding, in monotonic milliseconds; Infinity while something broken hides it.
 * @param past causes that ended, with their ends
 * @param tallies of each trouble, that of broken paths too
 */
export function openingTimes(
  candidates: readonly Candidate[],
  { input, index }: Facts,
  past: readonly PastCause[],
  broken: Tally,
  tallies: readonly Tally[],
  { before, wasOpen }: ReturnType<typeof movedCauses>,
): (candidate: Candidate) => SuspicionTimes & { readonly opensAtMs: number } {
  const { previous, now, uptimeMs } = input;
  const isBeside = besideBroken(candidates, tallies, index);
  const recovering = recoveringCauses(before, candidates, input);
  const isNew = uptimeMs < newForMs;
  const isConfirmed = previous === undefined || isNew || index.size > confirmedNodes;
  return (candidate) => {
    const { finding } = candidate;
    const known = before.get(finding.id);
    // An agent that has just started does not remember what is closing.
    const continuing = isNew ? 'leftover' : continues(candidate, recovering, index);
    // What is left of something and gets less goes on recovering.
    const isShrinking =
      continuing === 'leftover' && !known?.finding && finding.explains < (known?.paths ?? 0);
    const suspectedMs = known?.seenSinceMs ?? suspectedSinceMs(candidate, before) ?? now;
    const seenSinceMs = isShrinking ? now : suspectedMs;
    const sureSinceMs = candidate.settleMs > 0 ? undefined : (known?.sureSinceMs ?? now);
    const since = { seenSinceMs, sureSinceMs };
    const isHidden = finding.severity !== 'broken' && !known?.finding && isBeside(candidate);
    return { ...since, opensAtMs: isHidden ? Infinity : opensAt(candidate, continuing, since) };
  };

  function opensAt(
    candidate: Candidate,
    continuing: ReturnType<typeof continues>,
    { seenSinceMs, sureSinceMs }: SuspicionTimes,
  ): number {
    const { finding, sinceMs, settleMs } = candidate;
    if (wasOpen(candidate)) return now;
    if (settleMs > 0 && isOfBefore(candidate, past, index))
      return seenSinceMs + settleMs + broken.sweepMs;
    const settledMs = Math.max(sinceMs + settleMs, now);
    if (continuing === 'grown') return settledMs;
    const confirmedMs = isConfirmed || sureSinceMs === undefined ? now : sureSinceMs + confirmMs;
    if (continuing === 'leftover')
      return Math.max(settledMs, seenSinceMs + leftoverMs, confirmedMs);
    const stoodMs = previous ? standsAt(seenSinceMs, sinceMs, finding.seenBy) : now;
    return Math.max(settledMs, stoodMs, confirmedMs);
  }
}

/**
 * How long a cause must stand before it opens a finding, in milliseconds: the more independent witnesses, the
 * shorter, as the logarithm of their number, and no longer once all who look there see it. Source: memberlist,
 * suspicion.go, which waits for no more confirmations than there are other members.
 */
export function standMs({ failing, of }: Finding['seenBy']): number {
  const enough = Math.min(of, manyWitnesses);
  const share = failing >= enough ? 1 : Math.log(Math.max(failing, 1)) / Math.log(enough);
  return longestStandMs - (longestStandMs - shortestStandMs) * share;
}

/** When a cause has stood long enough. One that was believed late stands for the shortest time: what else it may be has shown itself. */
function standsAt(seenSinceMs: number, beganMs: number, witnesses: Finding['seenBy']): number {
  const whenOldMs = Math.max(seenSinceMs + shortestStandMs, beganMs + shownAfterMs);
  return Math.min(seenSinceMs + standMs(witnesses), whenOldMs);
}

/**
 * Since when a cause about a target was suspected, if the last run had one of more planes at the same subject that did not
 * open: that it reaches the target from one of them is learned later, and the suspicion stands as long.
 */
function suspectedSinceMs(
  { causes }: Candidate,
  before: ReadonlyMap<string, FindingMemory>,
): number | undefined {
  const [cause] = causes;
  if (cause?.target === undefined) return undefined;
  for (const { finding, seenSinceMs, causes: formers } of before.values()) {
    const [former] = formers;
    if (finding || !former || !isAtSame(cause, former)) continue;
    if (seenSinceMs !== undefined && (cause.channels & ~former.channels) === 0) return seenSinceMs;
  }
  return undefined;
}
