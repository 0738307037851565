import { randomBytes } from 'node:crypto';
import { pathKey, type Path } from '../../model/path.js';
import { UdpCounts, type UdpAnswer, type UdpTotals } from './udp-counts.js';

/** What is counted is shown for so long. */
export const windowMs = 600_000;
/** The window moves in steps of this. */
const stepMs = 60_000;
/** Each path is tested at most once in this time. */
const leastRoundMs = 10_000;

/** A path to test by UDP, and where its answers may come from. */
export interface UdpPath extends Path {
  readonly sources: ReadonlySet<string>;
}

/** What became of the datagrams of one path, or of all on a plane, in the window. */
export interface UdpState extends UdpTotals {
  /** Epoch milliseconds; undefined where none was ever answered. */
  readonly answeredAt: number | undefined;
}

/** One path, its session and what was counted. */
export interface UdpEntry {
  path: UdpPath;
  /** Eight bytes. */
  readonly session: string;
  readonly counts: UdpCounts;
  answeredAt: number | undefined;
  /** What was counted before some trains in the window, the oldest first. */
  marks: { readonly ms: number; readonly totals: UdpTotals }[];
}

/** The paths that are tested by UDP, one after the other, with what was counted. */
export class UdpPaths {
  readonly #entries = new Map<string, UdpEntry>();
  readonly #bySession = new Map<string, UdpEntry>();
  #round: UdpEntry[] = [];
  #roundStartMs = -Infinity;

  /** What is known of paths that are left out is forgotten. */
  setPaths(paths: readonly UdpPath[]): void {
    const kept = new Set<string>();
    for (const path of paths) {
      const key = pathKey(path);
      kept.add(key);
      const known = this.#entries.get(key);
      if (known) {
        known.path = path;
        continue;
      }
      const session = randomBytes(8).toString('latin1');
      const entry = { path, session, counts: new UdpCounts(), answeredAt: undefined, marks: [] };
      this.#entries.set(key, entry);
      this.#bySession.set(session, entry);
    }
    for (const [key, { session }] of this.#entries) {
      if (kept.has(key)) continue;
      this.#entries.delete(key);
      this.#bySession.delete(session);
    }
  }

  /** The path that is tested next; undefined until the next round. */
  next(nowMs: number): UdpEntry | undefined {
    if (this.#round.length === 0) {
      if (nowMs - this.#roundStartMs < leastRoundMs) return undefined;
      this.#roundStartMs = nowMs;
      this.#round = [...this.#entries.values()].reverse();
    }
    // Many of a round may have gone since.
    for (let entry = this.#round.pop(); entry; entry = this.#round.pop())
      if (this.#bySession.has(entry.session)) return entry;
    return undefined;
  }

  bySession(session: string): UdpEntry | undefined {
    return this.#bySession.get(session);
  }

  /** Remembers what was counted before a train that is sent now, where the window has moved on. */
  mark({ counts, marks }: UdpEntry, nowMs: number): void {
    while (marks[0] && marks[0].ms <= nowMs - windowMs) marks.shift();
    const last = marks.at(-1);
    if (!last || nowMs - last.ms >= stepMs) marks.push({ ms: nowMs, totals: counts.totals() });
  }

  /** Takes an answer of the peer. */
  take(
    entry: UdpEntry,
    answer: UdpAnswer,
    now: { readonly ms: number; readonly at: number },
  ): void {
    const isFirst = !entry.counts.hasAnswered;
    if (!entry.counts.answer(answer)) return;
    entry.answeredAt = now.at;
    if (isFirst) entry.marks = [{ ms: now.ms, totals: noTotals }];
  }

  /** What became of the datagrams of a path in the window; undefined if it is not tested. */
  of(path: Path, nowMs: number): UdpState | undefined {
    const entry = this.#entries.get(pathKey(path));
    return entry && stateOf(entry, nowMs);
  }

  /** What became of those of all paths of a plane that ever answered. */
  sum(plane: Path['plane'], nowMs: number): UdpTotals {
    const sum = { ...noTotals };
    for (const entry of this.#entries.values()) {
      if (entry.path.plane !== plane || !entry.counts.hasAnswered) continue;
      const state = stateOf(entry, nowMs);
      for (const name of totalNames) sum[name] += state[name];
    }
    return sum;
  }
}

const noTotals = {
  sent: 0,
  lost: 0,
  lostThere: 0,
  lostBack: 0,
  reorderedThere: 0,
  reorderedBack: 0,
  duplicatedThere: 0,
  duplicatedBack: 0,
};
const totalNames = Object.keys(noTotals) as (keyof UdpTotals)[];

function stateOf({ counts, marks, answeredAt }: UdpEntry, nowMs: number): UdpState {
  const totals = counts.totals();
  const before = marks.find(({ ms }) => ms > nowMs - windowMs)?.totals ?? totals;
  const since = (name: keyof UdpTotals): number => Math.max(0, totals[name] - before[name]);
  // Who never answered may not listen: nothing is known to be lost. Else a way may become known, and a late
  // answer come, after the window has moved on.
  const lost = counts.hasAnswered ? Math.min(since('lost'), since('sent')) : 0;
  const lostThere = Math.min(since('lostThere'), lost);
  return {
    sent: since('sent'),
    lost,
    lostThere,
    lostBack: Math.min(since('lostBack'), lost - lostThere),
    reorderedThere: since('reorderedThere'),
    reorderedBack: since('reorderedBack'),
    duplicatedThere: since('duplicatedThere'),
    duplicatedBack: since('duplicatedBack'),
    answeredAt,
  };
}
