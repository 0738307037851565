import type { Candidate } from './build-finding.js';
import type { DiagnosisOutput, FindingMemory, LastOpen } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { GoneFindings } from './gone-findings.js';
import { isCovered, isReplaced, type ZoneOf } from './replaced-by.js';

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
/** Old rows may report paths of a gone finding for as long as they are fresh, within these bounds. */
const minResidualMs = 10_000;
const maxResidualMs = 30_000;
/** A finding that opened this recently may be a part of what cut this agent off. */
const recentMs = 30_000;

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

/** What decides how long findings stay open. */
export interface LifetimeRules {
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * Whether a finding lost its witnesses, so that its paths may work or not. It stays open for a
   * minute then, unless another one replaces it.
   */
  readonly hasLostWitnesses: (finding: Finding) => boolean;
  readonly zoneOf: ZoneOf;
  readonly localName: string;
  /** For how long a row stays fresh, in milliseconds. */
  readonly freshMs: number;
}

/**
 * Decides which findings are open. A finding opens when its cause has lasted long enough. It keeps
 * its `since` while it lasts and closes when its cause is gone. A flapping one stays open, with the
 * `since` of its first opening.
 * @param candidates what is seen now, each id once
 */
export function liveFindings(
  candidates: readonly Candidate[],
  previous: DiagnosisOutput | undefined,
  { now, hasLostWitnesses, zoneOf, localName, freshMs }: LifetimeRules,
): Lifetimes {
  const memory = new Map<string, FindingMemory>();
  const findings: Finding[] = [];
  const gone = new GoneFindings({
    candidates,
    memory: previous?.memory ?? [],
    now,
    residualMs: Math.min(Math.max(freshMs, minResidualMs), maxResidualMs),
    zoneOf,
  });
  // A pattern that appears now may be the rest of another one, or the beginning of the next.
  const share = previous === undefined ? 0 : gone.isEmpty ? seenShare : leftoverShare;
  let opensAt = Infinity;
  for (const candidate of candidates) {
    const { id, since } = candidate.finding;
    const before = previous?.memory.get(id);
    const settledAt = Math.max(
      Date.parse(since) + candidate.settleMs,
      gone.hasSameSubject(candidate.finding)
        ? now
        : (before?.seenAt ?? now) + share * candidate.settleMs,
      gone.residualUntil(candidate.finding),
    );
    const after = seen(candidate.finding, before, settledAt <= now, now);
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
    else opensAt = Math.min(opensAt, settledAt);
  }
  const seenNow = [...findings];
  const isCutOff = seenNow.some((finding) => cutsOff(finding, localName, zoneOf));
  const isKept = (finding: Finding, openedAt: readonly number[]) => {
    if (openedAt.length >= flapOpenings) return !isCovered(finding, seenNow, zoneOf);
    const isRecent = now - (openedAt.at(-1) ?? now) < recentMs;
    return (
      hasLostWitnesses(finding) && !isReplaced(finding, seenNow, zoneOf) && !(isCutOff && isRecent)
    );
  };
  for (const [id, before] of previous?.memory ?? []) {
    if (memory.has(id)) continue;
    const after = notSeen(before, now, isKept);
    if (!after) continue;
    memory.set(id, after);
    if (after.finding) findings.push(after.finding);
  }
  return { findings, memory, opensInMs: opensAt === Infinity ? undefined : opensAt - now };
}

/** Whether a finding says that this agent or its zone is cut off, so that no rows arrive. */
function cutsOff(finding: Finding, localName: string, zoneOf: ZoneOf): boolean {
  const { severity, plane, protocols, zones, local } = finding;
  if (severity !== 'broken' || plane === 'endpoint' || !protocols.includes('http')) return false;
  return local === true || (zones?.length === 1 && zones[0] === zoneOf(localName));
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
    return {
      ...remembered,
      sinceAt,
      openedAt,
      ...open(told(finding, sinceAt, openedAt, now), now, before.lastOpen),
    };
  }
  const earlier = (before?.openedAt ?? []).filter((at) => now - at < flapWindowMs);
  if (!hasSettled) {
    return {
      ...remembered,
      sinceAt: before?.sinceAt ?? beganAt,
      openedAt: earlier,
      finding: undefined,
      lastOpen: before?.lastOpen,
    };
  }
  const openedAt = [...earlier, now];
  const isFlapping = openedAt.length >= flapOpenings;
  const firstAt = openedAt.length > 1 ? (before?.sinceAt ?? beganAt) : beganAt;
  const sinceAt = isFlapping ? firstAt : beganAt;
  // The time of the first opening is remembered at once, and shown from the third opening on.
  const kept = { ...remembered, sinceAt: openedAt.length > 1 ? firstAt : beganAt, openedAt };
  return { ...kept, ...open(told(finding, sinceAt, openedAt, now), now) };
}

function open(
  finding: Finding,
  now: number,
  before?: LastOpen,
): Pick<FindingMemory, 'finding' | 'lastOpen'> {
  const mostExplained = Math.max(finding.explains, before?.mostExplained ?? 0);
  return { finding, lastOpen: { finding, seenAt: now, mostExplained } };
}

function notSeen(
  before: FindingMemory,
  now: number,
  isKept: (finding: Finding, openedAt: readonly number[]) => boolean,
): FindingMemory | undefined {
  const openedAt = before.openedAt.filter((at) => now - at < flapWindowMs);
  const isHeld =
    before.finding !== undefined &&
    isKept(before.finding, before.openedAt) &&
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
