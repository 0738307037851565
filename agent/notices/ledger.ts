import {
  maxNoticeVersion,
  maxReceiverFailures,
  maxRowNotices,
  type NoticePhase,
  type RowReceiver,
} from '../model/row-notices.js';
import { digestOf } from './digest.js';

/** What was told is known for so long after it; of what is still open, longer. */
export const rememberedMs = 3_600_000;

/** Longer than the tries of one message are apart. What failed before that was another outage. */
const outageGapMs = 900_000;

/** No other receivers than so many are remembered. */
const mostReceivers = 8;

/** A row has more places than these: for a storm, and for what closed just now. */
const mostOpen = maxRowNotices - 8;

/** No more findings of a receiver are taken from rows: several times what one row has. */
const mostHeard = 4 * maxRowNotices;

/** What a receiver was told of a finding last. Times are monotonic milliseconds of this agent. */
export interface SentState {
  readonly version: number;
  readonly phase: NoticePhase;
  readonly atMs: number;
  /** The hour of its ids, where it was announced. */
  readonly hour?: number;
  /** When this agent announced it. */
  readonly announcedMs?: number;
  /** When another agent's row told it; undefined where this agent told the receiver. */
  readonly heardMs?: number;
}

/** The last try to tell a receiver something, by whichever agent. */
export interface Attempt {
  /** It grows with each beginning and end. */
  readonly version: number;
  /** How often in a row it did not take a message. */
  readonly failures: number;
  /** Some agent is sending to it. */
  readonly isUnderWay: boolean;
  /** When it began or ended. */
  readonly atMs: number;
}

/** Something that a receiver was told, as another agent's row says. */
export interface HeardNews {
  /** The digests of the receiver, and of the finding or storm. */
  readonly receiver: number;
  readonly key: number;
  /** What the receiver knew before it; undefined: nothing, as far as it is known. */
  readonly before: NoticePhase | undefined;
}

interface Page {
  attempt: Attempt | undefined;
  readonly sent: Map<number, SentState>;
}

const noAttempt: Attempt = { version: 0, failures: 0, isUnderWay: false, atMs: -Infinity };

/** What is open must be known, or each agent would tell it: it takes the place of what closed longest ago. Returns whether there is one. */
function makeRoom({ sent }: Page, phase: NoticePhase): boolean {
  if (phase === 'closed') return false;
  const closed = [...sent].filter(([, one]) => one.phase === 'closed');
  const [oldest] = closed.sort(([, a], [, b]) => a.atMs - b.atMs);
  return oldest !== undefined && sent.delete(oldest[0]);
}

/**
 * What each receiver was told, by any agent. It travels in rows: each agent tells what it did and what it heard, so after a
 * restart one row is enough to know it all. Of two rows that differ, the higher version is right.
 */
export class Ledger {
  readonly #pages = new Map<number, Page>();
  readonly #onChange: () => void;

  /** @param onChange called when what is to be told to other agents has changed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** What a receiver was told of a finding, or of a storm; undefined: nothing, as far as it is known. */
  sent(receiver: string, key: string): SentState | undefined {
    return this.#pages.get(digestOf(receiver))?.sent.get(digestOf(key));
  }

  /** How many findings, or storms, a receiver was told since that time as open. */
  openedSince(receiver: string, sinceMs: number): number {
    let count = 0;
    for (const { phase, atMs } of this.#pages.get(digestOf(receiver))?.sent.values() ?? [])
      if (phase !== 'closed' && atMs >= sinceMs) count++;
    return count;
  }

  /** Whether rows have no room for more open findings of a receiver. */
  isFull(receiver: string): boolean {
    return this.openedSince(receiver, -Infinity) >= mostOpen;
  }

  attempt(receiver: string): Attempt {
    return this.#pages.get(digestOf(receiver))?.attempt ?? noAttempt;
  }

  /** This agent begins to tell a receiver something. Failures of an earlier outage do not count on: the first tries are close. */
  begin(receiver: string, nowMs: number): void {
    const known = this.attempt(receiver);
    const failures = nowMs - known.atMs > outageGapMs ? 0 : known.failures;
    this.#try(receiver, { failures, isUnderWay: true, atMs: nowMs });
  }

  /** The receiver did not take it. */
  fail(receiver: string, nowMs: number): void {
    const failures = Math.min(this.attempt(receiver).failures + 1, maxReceiverFailures);
    this.#try(receiver, { failures, isUnderWay: false, atMs: nowMs });
  }

  /**
   * The receiver has taken it.
   * @param atMs the time that is told of it
   */
  take(
    receiver: string,
    key: string,
    phase: NoticePhase,
    { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
  ): void {
    const page = this.#page(digestOf(receiver));
    const version = Math.min((this.sent(receiver, key)?.version ?? 0) + 1, maxNoticeVersion);
    const { hour } = this.sent(receiver, key) ?? {};
    page.sent.set(digestOf(key), { version, phase, atMs, ...(hour !== undefined && { hour }) });
    this.#try(receiver, { failures: 0, isUnderWay: false, atMs: nowMs });
  }

  /**
   * Tells the other agents of which hour the ids of a finding are, before it is told: so whoever tells it then makes the same
   * ids. Version 0 is nothing that was told.
   */
  announce(receiver: string, key: string, hour: number, nowMs: number): void {
    const known = this.sent(receiver, key) ?? { version: 0, phase: 'closed', atMs: nowMs };
    this.#page(digestOf(receiver)).sent.set(digestOf(key), { ...known, hour, announcedMs: nowMs });
    this.#onChange();
  }

  #try(receiver: string, attempt: Omit<Attempt, 'version' | 'failures'> & Partial<Attempt>): void {
    const { version, failures } = this.attempt(receiver);
    const next = { failures, ...attempt, version: Math.min(version + 1, maxNoticeVersion) };
    this.#page(digestOf(receiver)).attempt = next;
    this.#onChange();
  }

  /**
   * Takes what another agent's row tells.
   * @param writtenMs when it was written
   * @returns what was new
   */
  merge(receivers: readonly RowReceiver[], writtenMs: number, nowMs: number): HeardNews[] {
    const news: HeardNews[] = [];
    let isChanged = false;
    for (const receiver of receivers) {
      const { digest, version, failures, isBeingSent, triedSeconds, sent: entries } = receiver;
      if (!this.#pages.has(digest) && this.#pages.size >= mostReceivers) continue;
      const page = this.#page(digest);
      if (version > (page.attempt?.version ?? 0)) {
        const atMs = writtenMs - triedSeconds * 1000;
        page.attempt = { version, failures, isUnderWay: isBeingSent, atMs };
        isChanged = true;
      }
      for (const { digest: key, version: sent, phase, ageSeconds, hour } of entries) {
        const atMs = writtenMs - ageSeconds * 1000;
        // Ages are whole seconds, so the time of what is known already is not taken again: it would drift.
        const before = page.sent.get(key);
        if (before && before.version >= sent) {
          if (before.version !== sent || hour === undefined) continue;
          if (before.hour !== undefined && before.hour <= hour) continue;
          // Of two that were announced at once the earlier one is that of all agents.
          page.sent.set(key, { ...before, hour });
          isChanged = true;
          continue;
        }
        // What is open stays to be told as closed, however long it lasts.
        if (phase === 'closed' && nowMs - atMs > rememberedMs) continue;
        if (!before && page.sent.size >= mostHeard && !makeRoom(page, phase)) continue;
        const ofHour = hour === undefined ? {} : { hour };
        page.sent.set(key, { version: sent, phase, atMs, heardMs: nowMs, ...ofHour });
        if (sent > 0) news.push({ receiver: digest, key, before: before?.phase });
        isChanged = true;
      }
    }
    if (isChanged) this.#onChange();
    return news;
  }

  /**
   * Forgets what is old.
   * @param open the keys of what is still open, or was so when it was last looked at
   */
  expire(open: readonly string[], nowMs: number): void {
    const kept = new Set(open.map(digestOf));
    for (const [digest, { attempt, sent }] of this.#pages) {
      for (const [key, { phase, atMs, heardMs = atMs }] of sent) {
        const isOpen = phase !== 'closed';
        if (isOpen && kept.has(key)) continue;
        // An agent that has just started has heard what is open before it knows so itself.
        if (nowMs - (isOpen ? heardMs : atMs) > rememberedMs) sent.delete(key);
      }
      if (sent.size === 0 && nowMs - (attempt?.atMs ?? -Infinity) > rememberedMs)
        this.#pages.delete(digest);
    }
  }

  /** What the own row tells of these receivers. */
  row(receivers: readonly string[], nowMs: number): RowReceiver[] {
    const ageOf = (atMs: number): number => Math.max(Math.round((nowMs - atMs) / 1000), 0);
    return receivers.flatMap((name) => {
      const digest = digestOf(name);
      const page = this.#pages.get(digest);
      if (!page) return [];
      const { version, failures, isUnderWay, atMs } = page.attempt ?? { ...noAttempt, atMs: nowMs };
      const sent = Array.from(page.sent, ([key, one]) => ({
        digest: key,
        version: one.version,
        phase: one.phase,
        ageSeconds: ageOf(one.atMs),
        ...(one.hour !== undefined && { hour: one.hour }),
      }));
      return [
        {
          digest,
          version,
          failures,
          isBeingSent: isUnderWay,
          triedSeconds: ageOf(atMs),
          sent,
        },
      ];
    });
  }

  #page(digest: number): Page {
    const known = this.#pages.get(digest);
    if (known) return known;
    const page: Page = { attempt: undefined, sent: new Map() };
    this.#pages.set(digest, page);
    return page;
  }
}
