import type { Candidate } from './build-finding.js';
import type { DiagnosisOutput, FindingMemory } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { isReplaced } from './replaced-by.js';

/** Openings within this time of each other belong together. */
const flapWindowMs = 10 * 60_000;
/** That many of them are one finding that comes and goes. */
const flapOpenings = 3;
/** Such a finding stays open until it has been gone for so long; so does any while nobody can tell. */
const holdMs = 60_000;

/** A pattern has to be seen for this share of the time that its cause has to stand, */
const seenShare = 0.2;
/** and for this one while another finding closes: it may be what is left of that one. */
const leftoverShare = 0.5;
/** So long after a finding was last seen, the paths that it explained may still be coming back. */
const recoveryMs = 10_000;

/** What is open now, and what to remember until the next run. */
export interface Lifetimes {
  readonly findings: readonly Finding[];
  readonly memory: ReadonlyMap<string, FindingMemory>;
  /** After so many milliseconds one more may open though nothing changes; undefined where none waits. */
  readonly opensInMs: number | undefined;
}

/**
 * Decides which findings are open. One opens once its cause has stood long enough, keeps its
 * `since` while it lasts, and closes when its cause is gone; one that comes and goes stays open,
 * with the `since` of its first opening.
 *
 * @param candidates what is seen now, each id once
 * @param now epoch milliseconds
 * @param isUntold nobody can tell now whether a finding's paths work: it stays open for a minute, unless
 *   another finding takes its place
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
  // A pattern that has just become another one is what is left of it, or the beginning of the next.
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
  const isKept = (finding: Finding) => isUntold(finding) && !isReplaced(finding, seenNow);
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
  // What it opens with is remembered from the first opening on, told from the third.
  const kept = { ...remembered, sinceAt: openedAt.length > 1 ? firstAt : beganAt, openedAt };
  return { ...kept, finding: told(finding, sinceAt, openedAt, now) };
}

function notSeen(
  before: FindingMemory,
  now: number,
  isKept: (finding: Finding) => boolean,
): FindingMemory | undefined {
  const openedAt = before.openedAt.filter((at) => now - at < flapWindowMs);
  const isHeld =
    before.finding !== undefined &&
    (before.openedAt.length >= flapOpenings || isKept(before.finding)) &&
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
