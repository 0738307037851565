import { createHash } from 'node:crypto';
import { Ability } from './ability.js';
import { awayFrom, stepMs } from './condition-reconciler.js';
import { boundText, longestNote, reasonOf } from './kubernetes-text.js';
import { hasQuorum, placeOf } from './quorum.js';
import type { OpenFinding, Situation } from './situation.js';
import type { WriteBudget } from './write-budget.js';

/** One Event that is to be written now. */
export interface EventWrite {
  /** Made of the finding's id, so that two writers write the same object. */
  readonly name: string;
  readonly node: string;
  readonly uid: string;
  readonly reason: string;
  readonly note: string;
  /** When it happened, epoch milliseconds. */
  readonly atMs: number;
  /** How often this agent saw the finding open; 1: never before. */
  readonly count: number;
}

/** More findings than this that open within a minute are told of in one Event. */
const mostAlone = 5;
const stormWindowMs = 60_000;
/** A storm is told of when it has gone on for so long. */
const stormSettleMs = 10_000;
/** A finding that was open before this agent started has its Event already. */
const oldMs = 600_000;
/** Openings within this time are one series: Kubernetes keeps an Event for an hour. */
const seriesMs = 3_600_000;
/** So many agents make sure that an Event is there. */
const mostWriters = 3;

interface Opening {
  readonly id: string;
  /** The newest state of it, until it closes. */
  open: OpenFinding;
  readonly openedMs: number;
  readonly count: number;
  /** It is told of in the Event of a storm. */
  readonly isFolded: boolean;
  isDone: boolean;
}

/** Tells which Event this agent writes next: one a finding, and one for all of a storm. */
export class EventReconciler {
  readonly #budget: WriteBudget;
  readonly #openings = new Map<string, Opening>();
  /** When each finding opened, by its id. */
  readonly #openedMs = new Map<string, readonly number[]>();
  #recentMs: number[] = [];
  #storm: { readonly openedMs: number; readonly count: number; isDone: boolean } | undefined;
  readonly #ability = new Ability();
  #ableMs = 0;

  constructor(budget: WriteBudget) {
    this.#budget = budget;
  }

  /** The Event that this agent writes now; undefined if none is due. */
  next(situation: Situation): EventWrite | undefined {
    this.#noteOpenings(situation);
    const ableMs = this.#ability.sinceMs(situation);
    if (ableMs === undefined) return undefined;
    this.#ableMs = ableMs;
    for (const opening of this.#openings.values()) {
      if (opening.isDone || opening.isFolded) continue;
      const write = this.#ofFinding(opening, situation);
      if (write) return write;
    }
    return this.#ofStorm(situation);
  }

  /** The API server has it, from this agent or from another. */
  noteWritten({ name }: EventWrite): void {
    if (this.#storm && name === eventName(stormId)) this.#storm.isDone = true;
    for (const opening of this.#openings.values()) {
      if (eventName(opening.id) === name) opening.isDone = true;
    }
  }

  #noteOpenings(situation: Situation): void {
    const { nowMs, wallMs, findings } = situation;
    const open = new Map(findings.map((one) => [one.finding.id, one]));
    for (const id of this.#openings.keys()) if (!open.has(id)) this.#openings.delete(id);
    this.#recentMs = this.#recentMs.filter((atMs) => nowMs - atMs < stormWindowMs);
    for (const [id, one] of open) {
      const known = this.#openings.get(id);
      if (known) {
        known.open = one;
        continue;
      }
      const isOld = wallMs - Date.parse(one.finding.since) > oldMs;
      const earlier = (this.#openedMs.get(id) ?? []).filter((atMs) => nowMs - atMs < seriesMs);
      const openings = [...earlier, nowMs];
      this.#openedMs.set(id, openings);
      const isTold = !isOld && one.finding.local !== true;
      const isFolded = isTold && this.#recentMs.length >= mostAlone;
      const count = openings.length;
      this.#openings.set(id, { id, open: one, openedMs: nowMs, count, isFolded, isDone: !isTold });
      if (!isTold) continue;
      this.#recentMs.push(nowMs);
      // Some agent writes it, and this one cannot see when.
      if (!isFolded) this.#budget.note(nowMs);
      else this.#noteStorm(nowMs);
    }
    for (const [id, times] of this.#openedMs) {
      if (!open.has(id) && times.every((atMs) => nowMs - atMs >= seriesMs))
        this.#openedMs.delete(id);
    }
  }

  /** What is folded within a minute is one storm. */
  #noteStorm(nowMs: number): void {
    const storm = this.#storm;
    if (storm && nowMs - storm.openedMs < stormWindowMs + stormSettleMs) return;
    const isSeries = storm !== undefined && nowMs - storm.openedMs < seriesMs;
    this.#storm = { openedMs: nowMs, count: isSeries ? storm.count + 1 : 1, isDone: false };
    this.#budget.note(nowMs);
  }

  #ofFinding(opening: Opening, situation: Situation): EventWrite | undefined {
    const { id, open, openedMs, count } = opening;
    if (!this.#isTurn(id, openedMs, situation)) return undefined;
    const sinceAt = Math.min(Date.parse(open.finding.since), situation.wallMs);
    if (!hasQuorum(situation, situation.wallMs - sinceAt)) return undefined;
    const { kind, text, next } = open.finding;
    return onNode(open, situation, {
      name: eventName(id),
      reason: reasonOf(kind),
      note: withCommand(text, next[0]),
      atMs: sinceAt,
      count,
    });
  }

  #ofStorm(situation: Situation): EventWrite | undefined {
    const storm = this.#storm;
    if (!storm || storm.isDone) return undefined;
    const folded = [...this.#openings.values()].filter(({ isFolded }) => isFolded);
    const [worst] = folded;
    if (!worst) return undefined;
    if (!this.#isTurn(stormId, storm.openedMs + stormSettleMs, situation)) return undefined;
    const { nowMs, wallMs } = situation;
    const openedAt = wallMs - (nowMs - storm.openedMs);
    if (!hasQuorum(situation, nowMs - storm.openedMs)) return undefined;
    const { text } = worst.open.finding;
    const all = `${folded.length} more findings opened within a minute; the first: ${text}`;
    return onNode(worst.open, situation, {
      name: eventName(stormId),
      reason: 'ManyFindings',
      note: withCommand(all, 'meshprobe diagnose'),
      atMs: openedAt,
      count: storm.count,
    });
  }

  #isTurn(key: string, openedMs: number, situation: Situation): boolean {
    const place = placeOf(key, situation, awayFrom(situation));
    const fromMs = Math.max(openedMs, this.#ableMs);
    return place < mostWriters && situation.nowMs >= fromMs + place * stepMs;
  }
}

const stormId = 'storm';

function withCommand(text: string, command: string | undefined): string {
  const tail = command === undefined ? '' : `. Next: ${boundText(command, longestNote / 4)}`;
  return boundText(text, longestNote - Buffer.byteLength(tail)) + tail;
}

/** A name that any id gives: ids hold what names may not. */
function eventName(id: string): string {
  return `meshprobe-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}

/** An Event is about a node: the one that the finding names, or one that it is seen at. */
function onNode(
  { finding, nodes }: OpenFinding,
  { nodes: own, listed }: Situation,
  parts: Omit<EventWrite, 'node' | 'uid'>,
): EventWrite | undefined {
  const seenAt = [...(finding.pair ?? []), ...finding.evidence.map(({ to }) => to)];
  const shortNames = new Map(Array.from(own, ([short, { name }]) => [name, short]));
  const names = [...nodes, ...seenAt.flatMap((name) => shortNames.get(name) ?? [])];
  const node = names.find((name) => listed?.nodes.has(name));
  if (node === undefined) return undefined;
  return { ...parts, node, uid: listed?.nodes.get(node)?.uid ?? '' };
}
