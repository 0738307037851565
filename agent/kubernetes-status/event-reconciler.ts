import { createHash } from 'node:crypto';
import { Ability } from './ability.js';
import { Appearances } from './appearances.js';
import { awayFrom, reasonDelayMs } from './condition-reconciler.js';
import { boundText, longestNote, reasonOf } from './kubernetes-text.js';
import { hasQuorum, placeOf, stepMs } from '../turns/quorum.js';
import type { OpenFinding, Situation } from './situation.js';
import type { WriteBudget } from './write-budget.js';

/** One Event that is to be written now. */
export interface EventWrite {
  /** Made of the finding's id and kind, so that two writers write the same object. */
  readonly name: string;
  readonly node: string;
  readonly uid: string;
  readonly reason: string;
  readonly note: string;
  /** When it happened, epoch milliseconds. */
  readonly atMs: number;
}

/** More findings than this that open within a minute are told of in one Event. */
const mostAlone = 5;
const stormWindowMs = 60_000;
/** A storm is told of when it has gone on for so long. */
const stormSettleMs = 10_000;
/** What had been open for so long when this agent started has its Event already. */
const oldMs = 600_000;
/** So many agents make sure that an Event is there. */
export const mostWriters = 10;

/** One Event that some agent is to write. */
interface Due {
  /** What its name is made of. */
  readonly key: string;
  /** What decides whose turn it is: the finding, as for its condition. */
  readonly about: string;
  /** From when on it may be written. */
  readonly dueMs: number;
  /** Since when there is room for it in the budget; undefined while there is none. */
  admittedMs: number | undefined;
  isDone: boolean;
}

interface Opening extends Due {
  /** The newest state of it, until it closes. */
  open: OpenFinding;
  /** It was something else, or has been there before: its own time is not that of this opening. */
  readonly isAgain: boolean;
  /** It is told of in the Event of a storm. */
  readonly isFolded: boolean;
}

/** Tells which Event this agent writes next: one a finding, and one for all of a storm. */
export class EventReconciler {
  readonly #budget: WriteBudget;
  readonly #openings = new Map<string, Opening>();
  readonly #seen = new Appearances();
  #startedMs: number | undefined;
  #recentMs: number[] = [];
  #storm: (Due & { readonly openedMs: number }) | undefined;
  readonly #ability = new Ability();

  constructor(budget: WriteBudget) {
    this.#budget = budget;
  }

  /** The Event that this agent writes now; undefined if none is due. */
  next(situation: Situation): EventWrite | undefined {
    if (situation.listed) this.#noteOpenings(situation);
    const ableMs = this.#ability.sinceMs(situation);
    if (ableMs === undefined) return undefined;
    for (const opening of this.#openings.values()) {
      if (opening.isFolded || !this.#isTurn(opening, ableMs, situation)) continue;
      const write = this.#ofFinding(opening, situation);
      if (write) return write;
    }
    const isStorm = this.#storm && this.#isTurn(this.#storm, ableMs, situation);
    return isStorm ? this.#ofStorm(situation) : undefined;
  }

  /** The API server has it, from this agent or from another. */
  noteWritten({ name }: EventWrite): void {
    for (const due of [...this.#openings.values(), ...(this.#storm ? [this.#storm] : [])]) {
      if (eventName(due.key) === name) due.isDone = true;
    }
  }

  #noteOpenings(situation: Situation): void {
    const { nowMs, wallMs, findings } = situation;
    this.#startedMs ??= nowMs;
    const uptimeMs = nowMs - this.#startedMs;
    // An Event is about a node, so nothing is written of what has none.
    const open = new Map(
      findings.flatMap((one) => (nodeOf(one, situation) === undefined ? [] : [[keyOf(one), one]])),
    );
    this.#seen.note(new Set(open.keys()), wallMs);
    const gone = new Set<string>();
    for (const [key, opening] of this.#openings) {
      if (open.has(key)) continue;
      this.#openings.delete(key);
      gone.add(opening.open.finding.id);
    }
    this.#recentMs = this.#recentMs.filter((atMs) => nowMs - atMs < stormWindowMs);
    for (const [key, one] of open) {
      const known = this.#openings.get(key);
      if (known) {
        known.open = one;
        continue;
      }
      const { id, since, local } = one.finding;
      const isRenamed = gone.has(id);
      const isAgain = isRenamed || this.#seen.wasGoneSince(key, Date.parse(since));
      const isOld = !isAgain && wallMs - Date.parse(since) - uptimeMs > oldMs;
      const isWanted = !isOld && local !== true;
      const isFolded = isWanted && this.#recentMs.length >= mostAlone;
      // Agents may see the kind differently for a while.
      const dueMs = isRenamed ? nowMs + reasonDelayMs : nowMs;
      const due = { key, about: id, dueMs, admittedMs: undefined, isDone: !isWanted };
      this.#openings.set(key, { ...due, open: one, isAgain, isFolded });
      if (isWanted) this.#recentMs.push(nowMs);
      if (isFolded) this.#noteStorm(nowMs);
    }
  }

  /** What is folded within a minute is one storm. */
  #noteStorm(nowMs: number): void {
    const storm = this.#storm;
    if (storm && nowMs - storm.openedMs < stormWindowMs + stormSettleMs) return;
    const due = { dueMs: nowMs + stormSettleMs, admittedMs: undefined, isDone: false };
    this.#storm = { key: stormKey, about: stormKey, openedMs: nowMs, ...due };
  }

  #ofFinding({ key, open, isAgain }: Opening, situation: Situation): EventWrite | undefined {
    const { kind, text, next, since } = open.finding;
    const foundAt = Math.min(Date.parse(since), situation.wallMs);
    const atMs = isAgain ? (this.#seen.cameAt(key) ?? foundAt) : foundAt;
    if (!hasQuorum(situation, situation.wallMs - atMs)) return undefined;
    return onNode(open, situation, {
      name: eventName(key),
      reason: reasonOf(kind),
      note: withCommand(text, next[0]),
      atMs,
    });
  }

  #ofStorm(situation: Situation): EventWrite | undefined {
    const folded = [...this.#openings.values()].filter(({ isFolded }) => isFolded);
    const worst = folded.find(({ open }) => nodeOf(open, situation) !== undefined);
    if (!this.#storm || !worst) return undefined;
    const ageMs = situation.nowMs - this.#storm.openedMs;
    if (!hasQuorum(situation, ageMs)) return undefined;
    const { text } = worst.open.finding;
    const all = `${folded.length} more findings opened within a minute; the first: ${text}`;
    return onNode(worst.open, situation, {
      name: eventName(stormKey),
      reason: 'ManyFindings',
      note: withCommand(all, 'meshprobe diagnose'),
      atMs: situation.wallMs - ageMs,
    });
  }

  /** Whether it is this agent's turn to write an Event. Some agent writes it, and this one cannot see when. */
  #isTurn(due: Due, ableMs: number, situation: Situation): boolean {
    const { nowMs } = situation;
    if (due.isDone || nowMs < due.dueMs) return false;
    if (due.admittedMs === undefined) {
      if (this.#budget.left(nowMs) === 0) return false;
      // It is written within a step, if the first one writes it.
      this.#budget.note(nowMs + stepMs);
      due.admittedMs = nowMs;
    }
    const fromMs = Math.max(due.admittedMs, ableMs);
    const place = placeOf(due.about, situation, awayFrom(situation));
    if (place < mostWriters) return nowMs >= fromMs + place * stepMs;
    // All who make sure of it have had their turn.
    due.isDone = nowMs >= fromMs + mostWriters * stepMs;
    return false;
  }
}

const stormKey = 'storm';

/** A finding keeps its id when more is known and its kind changes, and an Event cannot be changed. */
function keyOf({ finding: { id, kind } }: OpenFinding): string {
  return `${id} ${kind}`;
}

function withCommand(text: string, command: string | undefined): string {
  const tail = command === undefined ? '' : `. Next: ${boundText(command, longestNote / 4)}`;
  return boundText(text, longestNote - Buffer.byteLength(tail)) + tail;
}

/** A name that any key gives: keys hold what names may not. */
function eventName(key: string): string {
  return `meshprobe-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/**
 * The node that an Event is about: one that the finding names, the first of a pair, one that is not
 * reached, or one that does not reach a target.
 */
function nodeOf({ finding, nodes }: OpenFinding, situation: Situation): string | undefined {
  const { pair = [], evidence, looks = [] } = finding;
  const isListed = (name: string) => situation.listed?.nodes.has(name) === true;
  for (const name of nodes) if (isListed(name)) return name;
  const seenAt = [...pair, ...evidence.map(({ to }) => to), ...looks.map(({ from }) => from)];
  const shortNames = seenAt.flatMap((name) => {
    const short = name.slice(name.lastIndexOf('/') + 1);
    return situation.nodes.get(short)?.name === name ? short : [];
  });
  return shortNames.find(isListed);
}

function onNode(
  open: OpenFinding,
  situation: Situation,
  parts: Omit<EventWrite, 'node' | 'uid'>,
): EventWrite | undefined {
  const node = nodeOf(open, situation);
  if (node === undefined) return undefined;
  return { ...parts, node, uid: situation.listed?.nodes.get(node)?.uid ?? '' };
}
