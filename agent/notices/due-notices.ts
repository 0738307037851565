import type { NoticePhase } from '../model/row-notices.js';
import type { Receiver } from './definition/receiver.js';
import { stormKey } from './digest.js';
import type { Ledger, Told } from './ledger.js';
import { isSelected } from './selection.js';
import { WatchedFindings, type WatchedFinding } from './watched-findings.js';

/** More findings than this that open within a minute are told in one message. */
const mostAlone = 5;
const stormWindowMs = 60_000;
/** A storm is told when it has gone on for so long: its message has the count. */
const stormSettleMs = 10_000;
/** Agents do not agree to the second on when a finding began. */
const sinceSlackMs = 5000;
/** A storm is over when all of its findings are gone for so long. */
const stormHoldMs = 60_000;
/** Agents may see a severity differently for a while. */
const changeDelayMs = 30_000;
/** What could not be told for so long is not told any more. */
export const givenUpMs = 3_600_000;
/** So much of that is known, so that it is said once. */
const mostGivenUp = 256;

/** One message that some agent is to send to a receiver. */
export interface DueNotice {
  readonly event: 'opened' | 'changed' | 'closed' | 'storm';
  /** The id of the finding, or that of a storm. */
  readonly key: string;
  /** What the receiver knows when it has taken it. */
  readonly phase: NoticePhase;
  /** Since when it is due, as this agent sees it, in monotonic milliseconds. */
  readonly dueMs: number;
  /** Undefined for a storm. */
  readonly watched: WatchedFinding | undefined;
  /** Of a storm: its findings that are open, worst first. */
  readonly members: readonly WatchedFinding[];
  /** Of a storm: how many findings it has had, as this agent saw it. */
  readonly memberCount: number;
}

/** What is to be looked at to say what is due. */
export interface DueInput {
  readonly receiver: Receiver;
  readonly watched: WatchedFindings;
  readonly ledger: Ledger;
  readonly nowMs: number;
  /** Epoch milliseconds. */
  readonly wallMs: number;
}

/** Says what one receiver is to be told, comparing what is so with what it was told. It keeps no queue. */
export class DueNotices {
  #excessMs: number | undefined;
  #quietMs: number | undefined;
  /** What was given up, until it is taken; it is known for longer. */
  readonly #givenUp = new Map<string, DueNotice | undefined>();
  readonly #members = new Set<string>();
  /** The last storm that this agent told, and the findings that it had. */
  #toldStorm: { readonly version: number; readonly ids: ReadonlySet<string> } | undefined;

  /** What is due now, in the order in which it is told. */
  of(input: DueInput): DueNotice[] {
    const { watched, nowMs } = input;
    const all = watched.all();
    const isOld = (one: WatchedFinding) => nowMs - openDueMs(one, input) >= givenUpMs;
    const toOpen = all.filter((one) => isToOpen(one, input));
    for (const one of toOpen.filter(isOld)) this.#giveUp(opening(one, openDueMs(one, input)));
    const due = [
      ...all.flatMap((one) => closing(one, input)),
      ...all.flatMap((one) => change(one, input)),
      ...this.#openings(
        toOpen.filter((one) => !isOld(one)),
        input,
      ),
    ];
    for (const one of due) if (nowMs - one.dueMs >= givenUpMs) this.#giveUp(one);
    return due.filter(({ dueMs }) => nowMs >= dueMs && nowMs - dueMs < givenUpMs);
  }

  /** What was given up since the last time: it could not be told for an hour. */
  takeGivenUp(): DueNotice[] {
    const taken = [...this.#givenUp.values()].flatMap((one) => one ?? []);
    for (const key of this.#givenUp.keys()) this.#givenUp.set(key, undefined);
    return taken;
  }

  #giveUp(due: DueNotice): void {
    const key = `${due.event} ${due.key} ${due.dueMs}`;
    if (this.#givenUp.has(key)) return;
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size >= mostGivenUp && oldest !== undefined) this.#givenUp.delete(oldest);
    this.#givenUp.set(key, due);
  }

  #openings(candidates: readonly WatchedFinding[], input: DueInput): DueNotice[] {
    const { receiver, ledger, nowMs } = input;
    const storm = ledger.told(receiver.name, stormKey);
    const isOpen = storm !== undefined && storm.phase !== 'closed';
    const folded = isOpen ? candidates.filter((one) => this.#isPartOf(one, storm, input)) : [];
    for (const { finding } of folded) this.#members.add(finding.id);
    const due: DueNotice[] = [];
    if (isOpen && folded.length === 0) {
      this.#quietMs ??= nowMs;
      due.push(this.#stormNotice('closed', this.#quietMs + stormHoldMs, []));
    } else this.#quietMs = undefined;
    if (!isOpen && this.#excessMs === undefined) this.#members.clear();
    const alone = candidates.filter((one) => !folded.includes(one));
    const told = ledger.openedSince(receiver.name, nowMs - stormWindowMs);
    if (told + alone.length <= mostAlone && !ledger.isFull(receiver.name)) {
      this.#excessMs = undefined;
      return [...due, ...alone.map((one) => opening(one, openDueMs(one, input)))];
    }
    if (alone.length === 0) return due;
    this.#excessMs ??= nowMs;
    const againMs = isOpen ? storm.atMs + stormWindowMs : -Infinity;
    const members = [...folded, ...alone];
    for (const { finding } of members) this.#members.add(finding.id);
    const dueMs = Math.max(this.#excessMs + stormSettleMs, againMs);
    // While it grows it is not over.
    return [this.#stormNotice('broken', dueMs, members)];
  }

  /** The receiver has taken a storm, of which the ledger has that version. */
  noteStorm({ members }: DueNotice, version: number): void {
    this.#toldStorm = { version, ids: new Set(members.map(({ finding }) => finding.id)) };
  }

  /** Whether a storm that was told had a finding. */
  #isPartOf({ finding }: WatchedFinding, storm: Told, { nowMs, wallMs }: DueInput): boolean {
    if (this.#toldStorm?.version === storm.version) return this.#toldStorm.ids.has(finding.id);
    // The ledger has of a storm when the last of its findings began: see `newestMs`.
    const stormAt = wallMs - (nowMs - storm.atMs);
    return Date.parse(finding.since) <= stormAt + sinceSlackMs;
  }

  #stormNotice(phase: NoticePhase, dueMs: number, members: readonly WatchedFinding[]): DueNotice {
    const memberCount = this.#members.size;
    return {
      event: 'storm',
      key: stormKey,
      phase,
      dueMs,
      watched: undefined,
      members,
      memberCount,
    };
  }
}

/** When the last one of the findings of a storm began, in monotonic milliseconds. */
export function newestMs(
  { members }: DueNotice,
  { nowMs, wallMs }: Pick<DueInput, 'nowMs' | 'wallMs'>,
): number {
  const sinceAt = Math.max(...members.map(({ finding }) => Date.parse(finding.since)));
  return members.length === 0 ? nowMs : Math.min(nowMs - (wallMs - sinceAt), nowMs);
}

function isToOpen(watched: WatchedFinding, input: DueInput): boolean {
  const { receiver, ledger, nowMs } = input;
  const { finding, goneMs } = watched;
  if (goneMs !== undefined || !isSelected(receiver, watched)) return false;
  const told = ledger.told(receiver.name, finding.id);
  if (told !== undefined && told.phase !== 'closed') return false;
  return nowMs >= openDueMs(watched, input);
}

/** When a finding is to be told: when it came, or has lasted for as long as the receiver wants. */
function openDueMs(
  { cameMs, finding }: WatchedFinding,
  { receiver, nowMs, wallMs }: DueInput,
): number {
  const lastedMs = Math.max(wallMs - Date.parse(finding.since), 0);
  return Math.max(cameMs, Math.min(cameMs, nowMs - lastedMs) + receiver.afterMs);
}

/** What tells that a finding is open. */
export function openNotice(watched: WatchedFinding): DueNotice {
  return opening(watched, watched.cameMs);
}

function opening(watched: WatchedFinding, dueMs: number): DueNotice {
  const { id: key, severity: phase } = watched.finding;
  return { event: 'opened', key, phase, dueMs, watched, members: [], memberCount: 0 };
}

function change(watched: WatchedFinding, { receiver, ledger }: DueInput): DueNotice[] {
  const { finding, goneMs, severityMs } = watched;
  const told = ledger.told(receiver.name, finding.id);
  if (goneMs !== undefined || !told || told.phase === 'closed') return [];
  if (told.phase === finding.severity) return [];
  return [{ ...opening(watched, severityMs + changeDelayMs), event: 'changed' }];
}

function closing(watched: WatchedFinding, { receiver, ledger, nowMs }: DueInput): DueNotice[] {
  const told = ledger.told(receiver.name, watched.finding.id);
  if (!told || told.phase === 'closed') return [];
  const dueMs = WatchedFindings.overMs(watched);
  if (dueMs === undefined || nowMs < dueMs) return [];
  return [{ ...opening(watched, dueMs), event: 'closed', phase: 'closed' }];
}
