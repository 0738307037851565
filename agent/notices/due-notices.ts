import { openNews, type DueInput, type DueNotice, type News } from './due-notice.js';
import { isSelected } from './selection.js';
import { Storms } from './storms.js';
import { asNamedLong, WatchedFindings, type WatchedFinding } from './watched-findings.js';

/** Agents may see a severity differently for a while. */
const changeDelayMs = 30_000;
/** What could not be told for so long is not told any more. */
const givenUpMs = 3_600_000;
/** So much of that is known, so that it is said once. */
const mostGivenUp = 256;

interface Wait {
  readonly sinceMs: number;
  readonly tries: number;
}

/** Says what one receiver is to be told, comparing what is so with what it was told. It keeps no queue. */
export class DueNotices {
  readonly #storms = new Storms();
  /** Since when each message is due. */
  #waits = new Map<string, Wait>();
  /** What was given up, until it is taken; it is known for longer. */
  readonly #givenUp = new Map<string, DueNotice | undefined>();

  /** What is due now, in the order in which it is told. What could not be told for an hour is not. */
  of(input: DueInput): DueNotice[] {
    const all = input.watched.all();
    const waits = this.#keptWaits(input.watched);
    const isDue = (news: News): DueNotice[] => {
      const due = this.#wait(news, waits, input);
      // The findings of a storm have hours of their own.
      if (news.event === 'storm' || input.nowMs - due.dueMs < givenUpMs) return [due];
      this.#giveUp(due);
      this.#storms.forget(due.key);
      return [];
    };
    const unsent = all.filter((one) => isUnsent(one, input));
    const members = this.#storms.membersOf(unsent, input);
    // The finding that stands for many tells of its parts.
    const openings = unsent
      .filter((one) => !one.isPart && !members.includes(one))
      .flatMap((one) => isDue(openNews(one)));
    const alone = openings.flatMap(({ watched }) => watched ?? []);
    const storm = this.#storms.newsOf(members, alone, input);
    const due = [
      ...all.flatMap((one) => closing(one, input).flatMap(isDue)),
      ...all.flatMap((one) => change(one, input).flatMap(isDue)),
      ...storm.news.flatMap(isDue),
      ...(storm.isAlone ? openings : []),
    ];
    this.#waits = waits;
    return due;
  }

  /**
   * What the receiver was told as open and is so: each finding, with the severity that it was told, and the storm.
   */
  open(input: DueInput): News[] {
    const { ledger, receiver, watched, nowMs } = input;
    const all = watched.all();
    const sent = all
      // What is over is told as closed.
      .filter((one) => nowMs < (WatchedFindings.overMs(one) ?? Infinity))
      .map((one) => asNamedLong(one, nowMs))
      .flatMap((one) => {
        const { phase = 'closed' } = ledger.sent(receiver.name, one.finding.id) ?? {};
        if (phase === 'closed') return [];
        return [openNews({ ...one, finding: { ...one.finding, severity: phase } })];
      });
    const unsent = all.filter((one) => isUnsent(one, input));
    const members = this.#storms.membersOf(unsent, input);
    return members.length === 0 ? sent : [...sent, this.#storms.stillOpen(members)];
  }

  /** What was given up since the last time: it could not be told for an hour. */
  takeGivenUp(): DueNotice[] {
    const taken = [...this.#givenUp.values()].flatMap((one) => one ?? []);
    for (const key of this.#givenUp.keys()) this.#givenUp.set(key, undefined);
    return taken;
  }

  /** The receiver did not take it from this agent. */
  noteFailed(due: DueNotice): void {
    const key = keyOf(due);
    const wait = this.#waits.get(key);
    if (wait) this.#waits.set(key, { ...wait, tries: wait.tries + 1 });
  }

  /** The receiver has taken a storm, of which the ledger has that version. */
  noteStorm(due: DueNotice, version: number): void {
    this.#storms.noteSent(due, version);
  }

  /** A finding that comes and goes waits on: its hour does not begin anew. */
  #keptWaits(watched: WatchedFindings): Map<string, Wait> {
    const gone = watched.all().filter(({ goneMs }) => goneMs !== undefined);
    const keys = gone.map((one) => keyOf(openNews(one)));
    return new Map(
      keys.flatMap((key) => {
        const wait = this.#waits.get(key);
        return wait ? [[key, wait]] : [];
      }),
    );
  }

  #wait(news: News, waits: Map<string, Wait>, { mayTell, nowMs }: DueInput): DueNotice {
    const key = keyOf(news);
    const wait = this.#waits.get(key) ?? { sinceMs: nowMs, tries: 0 };
    // While this agent cannot tell it, its hour does not begin.
    if (this.#waits.has(key) || mayTell(news)) waits.set(key, wait);
    return { ...news, dueMs: wait.sinceMs, tries: wait.tries };
  }

  #giveUp(due: DueNotice): void {
    const key = `${keyOf(due)} ${due.dueMs}`;
    if (this.#givenUp.has(key)) return;
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size >= mostGivenUp && oldest !== undefined) this.#givenUp.delete(oldest);
    this.#givenUp.set(key, due);
  }
}

function keyOf({ event, phase, key, watched }: News): string {
  return `${event} ${phase} ${key} ${watched?.cameMs ?? ''}`;
}

/** Whether a finding is open, for as long as the receiver wants, and the receiver does not know it by itself. */
function isUnsent(watched: WatchedFinding, input: DueInput): boolean {
  const { receiver, ledger, nowMs } = input;
  const { finding, beganMs, goneMs } = watched;
  if (goneMs !== undefined || !isSelected(receiver, watched)) return false;
  const sent = ledger.sent(receiver.name, finding.id);
  if (sent !== undefined && sent.phase !== 'closed') return false;
  return nowMs - beganMs >= receiver.afterMs;
}

function change(watched: WatchedFinding, { receiver, ledger, nowMs }: DueInput): News[] {
  const { finding, goneMs, severityMs } = watched;
  const sent = ledger.sent(receiver.name, finding.id);
  if (goneMs !== undefined || !sent || sent.phase === 'closed') return [];
  if (sent.phase === finding.severity || nowMs < severityMs + changeDelayMs) return [];
  return [{ ...openNews(watched), event: 'changed' }];
}

function closing(watched: WatchedFinding, { receiver, ledger, nowMs }: DueInput): News[] {
  const sent = ledger.sent(receiver.name, watched.finding.id);
  if (!sent || sent.phase === 'closed') return [];
  const overMs = WatchedFindings.overMs(watched);
  if (overMs === undefined || nowMs < overMs) return [];
  return [{ ...openNews(asNamedLong(watched, nowMs)), event: 'closed', phase: 'closed' }];
}
