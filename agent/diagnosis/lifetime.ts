import type { Candidate } from './build-finding.js';
import type { DiagnosisOutput, FindingMemory } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { isCovered, isReplaced } from './replaced-by.js';

/** Openings within this time count as one series. */
const flapWindowMs = 10 * 60_000;
/** With this many openings the finding is flapping. */
const flapOpenings = 3;
/**
 * A flapping finding stays open until it was not seen for this long. So does any finding that no
 * witness can tell of.
 */
const holdMs = 60_000;

/** A pattern must be seen for this share of its settle time before it opens. */
const seenShare = 0.2;
/** The share while another finding closes: the pattern may be the rest of that one. */
const leftoverShare = 0.5;
/** The paths of a closed finding may need this long to come back. */
const recoveryMs = 10_000;

/** The open findings, and what to remember until the next run. */
export interface Lifetimes {
  readonly findings: readonly Finding[];
  readonly memory: ReadonlyMap<string, FindingMemory>;
  /**
   * After this many milliseconds another finding may open without a change; undefined if none
   * waits.
   */
  readonly opensInMs: number | undefined;
}

/**
 * Decides which findings are open. A finding opens when its cause has lasted long enough. It keeps
 * its `since` while it lasts and closes when its cause is gone. A flapping one stays open, with the
 * `since` of its first opening.
 * @param candidates what is seen now, each id once
 * @param now epoch milliseconds
 * @param isUntold nobody can tell now whether a finding's paths work: it stays open for a minute,
 * unless another finding takes its place
 */
export function liveFindings(
  candidates: readonly Candidate[],
  previous: DiagnosisOutput | undefined,
  { now, isUntold }: { readonly now: number; readonly isUntold: (finding: Finding) => boolean },
): Lifetimes {
  const memory = new Map<string, FindingMemory>();
  const findings: Finding[] = [];
  const ids = new Set(candidates.map(({ finding }) => finding.id));
  const isRecovering = [...(previous?.memory ?? [])].some(
    ([id, { openedAt, lastSeenAt }]) =>
      !ids.has(id) && openedAt.length > 0 && now - lastSeenAt < recoveryMs,
  );
  // A pattern that appears now may be the rest of another one, or the beginning of the next.
  const share = previous === undefined ? 0 : isRecovering ? leftoverShare : seenShare;
  let opensAt = Infinity;
  for (const candidate of candidates) {
    const { id, since } = candidate.finding;
    const before = previous?.memory.get(id);
    const settledAt = Math.max(
      Date.parse(since) + candidate.settleMs,
      (before?.seenAt ?? now) + share * candidate.settleMs,
    );
    const after = seen(candidate.finding, before, settledAt <= now, now);
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
    else opensAt = Math.min(opensAt, settledAt);
  }
  const seenNow = [...findings];
  const isKept = (finding: Finding, isFlapping: boolean) =>
    isFlapping ? !isCovered(finding, seenNow) : isUntold(finding) && !isReplaced(finding, seenNow);
  for (const [id, before] of previous?.memory ?? []) {
    if (memory.has(id)) continue;
    const after = notSeen(before, now, isKept);
    if (!after) continue;
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
  }
  return { findings, memory, opensInMs: opensAt === Infinity ? undefined : opensAt - now };
}

function seen(
  finding: Finding,
  before: FindingMemory | undefined,
  hasSettled: boolean,
  now: number,
): FindingMemory {
  const beganAt = Date.parse(finding.since);
  const seenAt = before?.seenAt ?? now;
  const remembered = { seenAt, lastSeenAt: now };
  if (before?.finding) {
    const { sinceAt, openedAt } = before;
    return { ...remembered, sinceAt, openedAt, finding: told(finding, sinceAt, openedAt, now) };
  }
  const earlier = (before?.openedAt ?? []).filter((at) => now - at < flapWindowMs);
  if (!hasSettled) {
    return {
      ...remembered,
      sinceAt: before?.sinceAt ?? beganAt,
      openedAt: earlier,
      finding: undefined,
    };
  }
  const openedAt = [...earlier, now];
  const isFlapping = openedAt.length >= flapOpenings;
  const firstAt = openedAt.length > 1 ? (before?.sinceAt ?? beganAt) : beganAt;
  const sinceAt = isFlapping ? firstAt : beganAt;
  // The time of the first opening is remembered at once, and shown from the third opening on.
  const kept = { ...remembered, sinceAt: openedAt.length > 1 ? firstAt : beganAt, openedAt };
  return { ...kept, finding: told(finding, sinceAt, openedAt, now) };
}

function notSeen(
  before: FindingMemory,
  now: number,
  isKept: (finding: Finding, isFlapping: boolean) => boolean,
): FindingMemory | undefined {
  const openedAt = before.openedAt.filter((at) => now - at < flapWindowMs);
  const isHeld =
    before.finding !== undefined &&
    isKept(before.finding, before.openedAt.length >= flapOpenings) &&
    now - before.lastSeenAt < holdMs;
  if (isHeld) return { ...before, seenAt: undefined };
  if (openedAt.length === 0) return undefined;
  return { ...before, openedAt, seenAt: undefined, finding: undefined };
}

function told(
  finding: Finding,
  sinceAt: number,
  openedAt: readonly number[],
  now: number,
): Finding {
  const since = new Date(sinceAt).toISOString();
  if (openedAt.length < flapOpenings) return { ...finding, since };
  const minutes = Math.max(1, Math.round((now - sinceAt) / 60_000));
  const span = minutes === 1 ? 'minute' : `${minutes} minutes`;
  const text = `${finding.text}; it has come and gone ${openedAt.length} times in the last ${span}`;
  return { ...finding, since, text };
}
