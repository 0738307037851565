import type { Candidate, Finding } from '../nouns/finding.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingMemory, Opening, PastCause } from '../nouns/memory.js';
import type { Facts } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { besideBroken } from './beside-broken.js';
import { lostWitnesses, stillFails } from './not-seen.js';
import {
  flapWindowMs,
  goneFinding,
  isFlapping,
  shownFinding,
  withFixedTimes,
} from './shown-finding.js';
import { movedCauses } from './moved-causes.js';
import { continues, isAtSame, isOfBefore, recoveringCauses, leftoverMs } from './recovering.js';

/** A flapping finding, and one of which no witness can tell, stays open until it was not seen for this long. */
const holdMs = 60_000;

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
 * Decides which findings are open: each opens when its cause has stood long enough, keeps its `since`, and closes when its cause is gone. A
 * flapping one stays open, with the `since` of its first opening.
 * @param candidates what is seen now, each id once
 * @param past causes that ended, with their ends
 * @param tallies of each trouble, that of broken paths too
 * @returns the open findings, and what to remember until the next run
 */
export function liveFindings(
  candidates: readonly Candidate[],
  facts: Facts,
  past: readonly PastCause[],
  broken: Tally,
  tallies: readonly Tally[],
) {
  const { input, index } = facts;
  const { previous, now } = input;
  const isBeside = besideBroken(candidates, tallies, index);
  const { before, wasOpen } = movedCauses(previous?.memory ?? new Map(), candidates);
  const recovering = recoveringCauses(before, candidates, input);
  const isNew = input.uptimeMs < newForMs;
  const isConfirmed = previous === undefined || isNew || index.size > confirmedNodes;
  const memory = new Map<string, FindingMemory>();
  const [open, findings]: [Candidate[], Finding[]] = [[], []];
  let opensAtMs = Infinity;
  for (const candidate of candidates) {
    const { finding, sinceMs, settleMs } = candidate;
    const known = before.get(finding.id);
    const wasSureSinceMs = known?.seenSinceMs === undefined ? undefined : known.sureSinceMs;
    const sureSinceMs = settleMs > 0 ? undefined : (wasSureSinceMs ?? now);
    // An agent that has just started does not remember what is closing.
    const continuing = isNew ? 'leftover' : continues(candidate, recovering, index);
    // What is left of something and gets less goes on recovering.
    const isShrinking =
      continuing === 'leftover' && !known?.finding && finding.explains < (known?.paths ?? 0);
    const seenSinceMs = isShrinking
      ? now
      : (known?.seenSinceMs ?? suspectedSinceMs(candidate, before) ?? now);
    const standsAtMs =
      (previous === undefined && !isNew) || continuing === 'grown'
        ? now
        : continuing === 'leftover'
          ? seenSinceMs + leftoverMs
          : standsAt(seenSinceMs, sinceMs, finding.seenBy);
    const isHidden = finding.severity !== 'broken' && !known?.finding && isBeside(candidate);
    const opensAt = isHidden
      ? Infinity
      : wasOpen(candidate)
        ? now
        : settleMs > 0 && isOfBefore(candidate, past, index)
          ? seenSinceMs + settleMs + broken.sweepMs
          : Math.max(
              sinceMs + settleMs,
              standsAtMs,
              sureSinceMs === undefined || isConfirmed || continuing === 'grown'
                ? now
                : sureSinceMs + confirmMs,
            );
    const after = seen(candidate, known, opensAt <= now, { seenSinceMs, sureSinceMs }, input);
    memory.set(finding.id, after);
    if (after.finding) findings.push(after.finding);
    if (after.finding && after.finding !== known?.finding) open.push(candidate);
    else opensAtMs = Math.min(opensAtMs, opensAt);
  }
  const isBroken = open.some(({ finding }) => finding.severity === 'broken');
  // Without witnesses its paths may work or not, unless something is broken that may be why.
  const isKept = ({ finding, openings }: FindingMemory): boolean =>
    finding !== undefined && (isFlapping(openings) || (!isBroken && lostWitnesses(finding, facts)));
  for (const [id, known] of before) {
    if (memory.has(id)) continue;
    const after = notSeen(known, input, isKept(known), () => stillFails(known, past, broken));
    if (!after) continue;
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
  }
  /** After so long another finding may open without a change; undefined if none waits. */
  const opensInMs = opensAtMs === Infinity ? undefined : opensAtMs - now;
  return { open, findings, memory, opensInMs };
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

function seen(
  { finding, sinceMs: beganMs, causes, nodes }: Candidate,
  before: FindingMemory | undefined,
  opens: boolean,
  times: Pick<FindingMemory, 'seenSinceMs' | 'sureSinceMs'>,
  input: DiagnosisInput,
): FindingMemory {
  const { now } = input;
  const { direction } = finding;
  const { closedMs, isUnended = false } = before ?? {};
  const paths = Math.max(finding.explains, before?.finding ? before.paths : 0);
  const seenNow = { ...times, lastSeenMs: now, sentence: finding.text };
  const about = { causes, ...(nodes && { nodes }) };
  const common = { ...seenNow, ...about, paths, closedMs, isUnended };
  if (before?.finding) {
    const { sinceMs, shownSinceMs } = before;
    // That it fails in another direction is told once that is sure.
    if (!opens && direction !== before.finding.direction)
      return { ...before, ...times, lastSeenMs: now };
    const [last] = before.openings.slice(-1);
    const openings = last ? [...before.openings.slice(0, -1), { ...last, direction }] : [];
    const shown = withFixedTimes(shownFinding(finding, sinceMs, openings, input), before.finding);
    return { ...common, sinceMs, shownSinceMs, openings, finding: shown };
  }
  // What came and went at other nodes was another thing.
  const isOfSame = nodes === undefined || nodes.some((node) => before?.nodes?.includes(node));
  const earlier = isOfSame ? lately(before?.openings ?? [], now) : [];
  if (!opens) {
    const sinceMs = before?.sinceMs ?? beganMs;
    const closed = { shownSinceMs: undefined, openings: earlier, finding: undefined };
    return { ...common, sinceMs, ...closed };
  }
  // What fails since before it opened last has not worked meanwhile, whatever it was called.
  const isSame =
    isUnended || (finding.severity === 'broken' && beganMs < (earlier.at(-1)?.atMs ?? -Infinity));
  const openings = [...(isSame ? earlier.slice(0, -1) : earlier), { atMs: now, direction }];
  // The time of the first opening is remembered at once, and shown from the third opening on.
  const sinceMs = openings.length > 1 ? (before?.sinceMs ?? beganMs) : beganMs;
  const shownSinceMs = isFlapping(openings) ? sinceMs : beganMs;
  const shown = shownFinding(finding, shownSinceMs, openings, input);
  return {
    ...common,
    sinceMs,
    shownSinceMs,
    openings,
    finding: shown,
    closedMs: undefined,
    isUnended: false,
  };
}

function notSeen(
  before: FindingMemory,
  input: DiagnosisInput,
  isKept: boolean,
  stillFails: () => boolean,
): FindingMemory | undefined {
  const { now } = input;
  const { finding, lastSeenMs } = before;
  const openings = lately(before.openings, now);
  if (finding && now - lastSeenMs < holdMs && isKept) {
    const isFirst = before.seenSinceMs !== undefined && isFlapping(before.openings);
    const shown = isFirst ? goneFinding(before, finding, input) : finding;
    return { ...before, seenSinceMs: undefined, finding: shown };
  }
  if (openings.length === 0) return undefined;
  const closedMs = finding ? now : before.closedMs;
  // That it ends may be known later than that it is not seen.
  const isUnended = stillFails();
  return { ...before, openings, seenSinceMs: undefined, finding: undefined, closedMs, isUnended };
}

/** The openings that count as one series. */
function lately(openings: readonly Opening[], now: number): readonly Opening[] {
  return openings.filter(({ atMs }) => now - atMs < flapWindowMs);
}
