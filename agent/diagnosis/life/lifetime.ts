import type { Candidate, Finding } from '../nouns/finding.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingMemory, Opening, PastCause } from '../nouns/memory.js';
import type { Facts } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { hasEnded, lostWitnesses, stillFails } from './not-seen.js';
import {
  flapWindowMs,
  goneFinding,
  isFlapping,
  shownFinding,
  withFixedTimes,
} from './shown-finding.js';
import { movedCauses } from './moved-causes.js';
import { openingTimes, type SuspicionTimes } from './opening-times.js';

/** A flapping finding, and one of which no witness can tell, stays open until it was not seen for this long. */
const holdMs = 60_000;

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
  const { input } = facts;
  const { previous, now } = input;
  const moved = movedCauses(previous?.memory ?? new Map(), candidates);
  const { before } = moved;
  const timesOf = openingTimes(candidates, facts, past, broken, tallies, moved);
  const memory = new Map<string, FindingMemory>();
  const [open, findings]: [Candidate[], Finding[]] = [[], []];
  let nextMs = Infinity;
  for (const candidate of candidates) {
    const { finding } = candidate;
    const known = before.get(finding.id);
    const { opensAtMs, ...times } = timesOf(candidate);
    const after = seen(candidate, known, opensAtMs <= now, times, input);
    memory.set(finding.id, after);
    if (after.finding) findings.push(after.finding);
    if (after.finding && after.finding !== known?.finding) open.push(candidate);
    else nextMs = Math.min(nextMs, opensAtMs);
  }
  const isBroken = open.some(({ finding }) => finding.severity === 'broken');
  // Where nothing fails any more it is not asked which rows tell of an end.
  const isOver = ({ causes }: FindingMemory): boolean =>
    broken.badEntries.length > 0 &&
    causes.length > 0 &&
    causes.every((cause) => hasEnded(cause, past));
  // Without witnesses its paths may work or not, unless others tell that it is over, or something is broken that may be why.
  const isKept = (known: FindingMemory): boolean =>
    known.finding !== undefined &&
    (isFlapping(known.openings) ||
      (!isBroken && lostWitnesses(known.finding, facts) && !isOver(known)));
  for (const [id, known] of before) {
    if (memory.has(id)) continue;
    const after = notSeen(known, input, isKept(known), () => stillFails(known, past, broken));
    if (!after) continue;
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
  }
  /** After so long another finding may open without a change; undefined if none waits. */
  const opensInMs = nextMs === Infinity ? undefined : nextMs - now;
  return { open, findings, memory, opensInMs };
}

function seen(
  { finding, sinceMs: beganMs, causes, nodes }: Candidate,
  before: FindingMemory | undefined,
  opens: boolean,
  times: SuspicionTimes,
  input: DiagnosisInput,
): FindingMemory {
  const { now } = input;
  const { direction } = finding;
  const { closedMs, isUnended = false } = before ?? {};
  const paths = Math.max(finding.explains, before?.finding ? before.paths : 0);
  const seenNow = { ...times, lastSeenMs: now, sentence: finding.text };
  const common = { ...seenNow, causes, ...(nodes && { nodes }), paths, closedMs, isUnended };
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
    return { ...common, sinceMs, shownSinceMs: undefined, openings: earlier, finding: undefined };
  }
  // What fails since before it opened last has not worked meanwhile, whatever it was called.
  const isSame =
    isUnended || (finding.severity === 'broken' && beganMs < (earlier.at(-1)?.atMs ?? -Infinity));
  const openings = [...(isSame ? earlier.slice(0, -1) : earlier), { atMs: now, direction }];
  // The time of the first opening is remembered at once, and shown from the third opening on.
  const sinceMs = openings.length > 1 ? (before?.sinceMs ?? beganMs) : beganMs;
  const shownSinceMs = isFlapping(openings) ? sinceMs : beganMs;
  const shown = shownFinding(finding, shownSinceMs, openings, input);
  const opened = { openings, finding: shown, closedMs: undefined, isUnended: false };
  return { ...common, sinceMs, shownSinceMs, ...opened };
}

const notSeenNow = { seenSinceMs: undefined, sureSinceMs: undefined };

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
    return { ...before, ...notSeenNow, finding: shown };
  }
  if (openings.length === 0) return undefined;
  const closedMs = finding ? now : before.closedMs;
  // That it ends may be known later than that it is not seen.
  const isUnended = stillFails();
  return { ...before, ...notSeenNow, openings, finding: undefined, closedMs, isUnended };
}

/** The openings that count as one series. */
function lately(openings: readonly Opening[], now: number): readonly Opening[] {
  return openings.filter(({ atMs }) => now - atMs < flapWindowMs);
}
