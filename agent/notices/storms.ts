import type { NoticePhase } from '../model/row-notices.js';
import { stormKey } from './digest.js';
import type { DueInput, DueNotice, News } from './due-notice.js';
import type { SentState } from './ledger.js';
import type { WatchedFinding } from './watched-findings.js';

/** More findings than this that are to be told within a minute are told in one message. */
const mostAlone = 5;
const stormWindowMs = 60_000;
/** A storm is told when it has gone on for so long: its message has the count. */
const stormSettleMs = 10_000;
/** A storm is over when all of its findings are gone for so long. */
const stormHoldMs = 60_000;
/** Agents do not agree to the second on when a finding began. */
const beganErrorMs = 5000;
/** Nor, by so much, on when it came. An agent that has just started sees all findings come. */
const cameErrorMs = 60_000;

/** The findings that one receiver is told in one message, and those that it is told one by one. */
export class Storms {
  #excessMs: number | undefined;
  #quietMs: number | undefined;
  /** The ids of all findings that the storm has had. */
  readonly #ids = new Set<string>();
  /** The last storm that this agent told, and the findings that it had. */
  #sent: { readonly version: number; readonly ids: ReadonlySet<string> } | undefined;

  /**
   * Those of some open findings that the receiver knows of by a storm, however old they are: it is told that they have all
   * closed, and not that any of them opened.
   */
  membersOf(open: readonly WatchedFinding[], input: DueInput): WatchedFinding[] {
    const storm = openStorm(input);
    return storm ? open.filter((one) => this.#isPartOf(one, storm, input)) : [];
  }

  /**
   * What is to be told now of a storm, if anything.
   * @param members those of an earlier storm that are open
   * @param alone what is to be told beside it
   * @returns undefined where there is no storm that is to grow: then each is told alone
   */
  newsOf(
    members: readonly WatchedFinding[],
    alone: readonly WatchedFinding[],
    input: DueInput,
  ): { readonly news: readonly News[]; readonly isAlone: boolean } {
    const { receiver, ledger, nowMs } = input;
    const storm = openStorm(input);
    for (const { finding } of members) this.#ids.add(finding.id);
    if (storm && members.length === 0) this.#quietMs ??= nowMs;
    else this.#quietMs = undefined;
    if (!storm && this.#excessMs === undefined) this.#ids.clear();
    const isOver = this.#quietMs !== undefined && nowMs >= this.#quietMs + stormHoldMs;
    const end = isOver ? [this.#news('closed', [])] : [];
    const sent = ledger.openedSince(receiver.name, nowMs - stormWindowMs);
    if (sent + alone.length <= mostAlone && !ledger.isFull(receiver.name)) {
      this.#excessMs = undefined;
      return { news: end, isAlone: true };
    }
    if (alone.length === 0) return { news: end, isAlone: true };
    this.#excessMs ??= nowMs;
    const all = [...members, ...alone];
    for (const { finding } of all) this.#ids.add(finding.id);
    const fromMs = Math.max(
      this.#excessMs + stormSettleMs,
      storm ? storm.atMs + stormWindowMs : -Infinity,
    );
    // While it grows it is not over.
    return { news: nowMs >= fromMs ? [this.#news('broken', all)] : [], isAlone: false };
  }

  /** A finding is not told any more. */
  forget(id: string): void {
    this.#ids.delete(id);
  }

  /** The storm as the receiver knows it, of which these are open. */
  stillOpen(members: readonly WatchedFinding[]): News {
    return this.#news('broken', members);
  }

  /** The receiver has taken a storm, of which the ledger has that version. */
  noteSent({ members }: DueNotice, version: number): void {
    this.#sent = { version, ids: new Set(members.map(({ finding }) => finding.id)) };
  }

  /** Whether a storm that was told had a finding. */
  #isPartOf(
    { finding, beganMs, cameMs }: WatchedFinding,
    storm: SentState,
    { watched }: Pick<DueInput, 'watched'>,
  ): boolean {
    if (this.#sent?.version === storm.version) return this.#sent.ids.has(finding.id);
    // The ledger has of a storm when the last of its findings began: see `newestMs`.
    if (beganMs > storm.atMs + beganErrorMs) return false;
    // What opens minutes after it began may have begun before the storm, and come after it was told.
    const { heardMs = Infinity } = storm;
    const hasWatched = heardMs - watched.sinceMs > cameErrorMs;
    return !hasWatched || cameMs <= heardMs + cameErrorMs;
  }

  #news(phase: NoticePhase, members: readonly WatchedFinding[]): News {
    const memberCount = this.#ids.size;
    return { event: 'storm', key: stormKey, phase, watched: undefined, members, memberCount };
  }
}

/** The storm that a receiver was told and that is not over. */
function openStorm({
  receiver,
  ledger,
}: Pick<DueInput, 'receiver' | 'ledger'>): SentState | undefined {
  const storm = ledger.sent(receiver.name, stormKey);
  return storm?.phase === 'closed' ? undefined : storm;
}

/** When the last one of the findings of a storm began, in monotonic milliseconds. */
export function newestMs({ members }: Pick<DueNotice, 'members'>, nowMs: number): number {
  return members.length === 0 ? nowMs : Math.max(...members.map(({ beganMs }) => beganMs));
}
