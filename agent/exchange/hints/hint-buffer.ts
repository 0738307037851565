import { encodeHint, maxHintBytes } from './hint-codec.js';
import {
  hintKey,
  hintLifetimeMs,
  maxHintsPerMessage,
  type Hint,
  type HintChange,
  type HintSubject,
} from './hint.js';

interface Rumour {
  readonly subject: HintSubject;
  readonly change: HintChange;
  /** When any known agent first saw the change, in monotonic milliseconds. */
  readonly bornMs: number;
  /** When this agent saw it itself; undefined if it only heard of it. */
  witnessedMs: number | undefined;
  /** The peers that saw it themselves and told this agent. */
  readonly witnesses: Set<string>;
  /** The peers that already know it. */
  readonly knownTo: Set<string>;
  /** Those that know also that this agent saw it itself. */
  readonly witnessKnownTo: Set<string>;
  timesTold: number;
}

/** How many hints are kept. Above it the oldest is forgotten. */
const capacity = 512;

/** At most so many witnesses are remembered: more are never needed. */
const maxWitnesses = 8;
const maxKnownTo = 64;

/** The recent changes that an agent saw or heard of and passes on. Number and time are bounded. */
export class HintBuffer {
  /** The least recently changed first. */
  readonly #rumours = new Map<string, Rumour>();

  /** Notes what this agent saw itself. */
  witness(subject: HintSubject, change: HintChange, nowMs: number): void {
    const key = hintKey(subject);
    const known = this.#rumours.get(key);
    if (known?.change === change && !isOver(known, nowMs)) {
      known.witnessedMs = nowMs;
      known.timesTold = 0;
      this.#rumours.delete(key);
      this.#rumours.set(key, known);
    } else {
      this.#put(key, createRumour(subject, change, nowMs, nowMs));
    }
  }

  /** Withdraws what this agent saw itself on a plane, because it may have been its own fault. */
  withdraw(holds: (subject: HintSubject) => boolean): void {
    for (const [key, rumour] of this.#rumours) {
      if (rumour.witnessedMs === undefined || !holds(rumour.subject)) continue;
      if (rumour.witnesses.size > 0) rumour.witnessedMs = undefined;
      else this.#rumours.delete(key);
    }
  }

  /**
   * Notes a peer's hint. Returns true if it is news. An older contradiction of a known change is no
   * news; a newer one replaces it.
   */
  hear(hint: Hint, from: string, nowMs: number): boolean {
    const key = hintKey(hint);
    const bornMs = nowMs - hint.ageMs;
    const known = this.#rumours.get(key);
    const isCurrent = known !== undefined && !isOver(known, nowMs);
    if (isCurrent && known.change !== hint.change) {
      const lastSeenMs = known.witnessedMs ?? known.bornMs;
      if (bornMs <= lastSeenMs) return false;
    } else if (isCurrent) {
      noteTeller(known, hint, from);
      return false;
    }
    if (hint.ageMs >= hintLifetimeMs) return false;
    const { node, plane, protocol } = hint;
    const rumour = createRumour({ node, plane, protocol }, hint.change, bornMs, undefined);
    noteTeller(rumour, hint, from);
    this.#put(key, rumour);
    return true;
  }

  /** How many peers said that they saw this change themselves. */
  witnesses(subject: HintSubject, change: HintChange): number {
    const known = this.#rumours.get(hintKey(subject));
    return known?.change === change ? known.witnesses.size : 0;
  }

  /**
   * The hints that a peer may not know and that fit into one message, those sent least often first. They count as
   * sent.
   */
  take(to: string, nowMs: number): Hint[] {
    const news = this.#current(nowMs)
      .filter((rumour) => !knowsAllOf(rumour, to))
      .sort((a, b) => a.timesTold - b.timesTold || b.bornMs - a.bornMs)
      .slice(0, maxHintsPerMessage);
    const told: Hint[] = [];
    let bytes = 0;
    for (const rumour of news) {
      const { subject, change, bornMs, witnessedMs, knownTo, witnessKnownTo } = rumour;
      const isWitness = witnessedMs !== undefined;
      const hint = { ...subject, change, ageMs: nowMs - (witnessedMs ?? bornMs), isWitness };
      bytes += encodeHint(hint).length + 1;
      if (bytes > maxHintBytes + 1) break;
      rumour.timesTold++;
      noteKnown(knownTo, to);
      if (isWitness) noteKnown(witnessKnownTo, to);
      told.push(hint);
    }
    return told;
  }

  /** Whether a peer may not have heard all of what is new. */
  hasNewsFor(peer: string, nowMs: number): boolean {
    return this.#current(nowMs).some(({ knownTo }) => !knownTo.has(peer));
  }

  /** Whether there is anything to pass on. */
  hasNews(nowMs: number): boolean {
    return this.#current(nowMs).length > 0;
  }

  /** The nodes that are said to be unreachable. They are not brought news. */
  failing(nowMs: number): ReadonlySet<string> {
    const failing = this.#current(nowMs).filter(({ change }) => change === 'failure');
    return new Set(failing.map(({ subject }) => subject.node));
  }

  /** Forgets what is about nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    for (const [key, { subject }] of this.#rumours) {
      if (!isListed(subject.node)) this.#rumours.delete(key);
    }
  }

  get size(): number {
    return this.#rumours.size;
  }

  #current(nowMs: number): Rumour[] {
    const current: Rumour[] = [];
    for (const [key, rumour] of this.#rumours) {
      if (isOver(rumour, nowMs)) this.#rumours.delete(key);
      else current.push(rumour);
    }
    return current;
  }

  #put(key: string, rumour: Rumour): void {
    this.#rumours.delete(key);
    this.#rumours.set(key, rumour);
    const [oldest] = this.#rumours.keys();
    if (this.#rumours.size > capacity && oldest !== undefined) this.#rumours.delete(oldest);
  }
}

function createRumour(
  subject: HintSubject,
  change: HintChange,
  bornMs: number,
  witnessedMs: number | undefined,
): Rumour {
  const { node, plane, protocol } = subject;
  return {
    subject: { node, plane, protocol },
    change,
    bornMs,
    witnessedMs,
    witnesses: new Set(),
    knownTo: new Set(),
    witnessKnownTo: new Set(),
    timesTold: 0,
  };
}

function noteTeller(rumour: Rumour, { isWitness }: Hint, from: string): void {
  if (isWitness && rumour.witnesses.size < maxWitnesses) rumour.witnesses.add(from);
  noteKnown(rumour.knownTo, from);
}

function noteKnown(knownTo: Set<string>, peer: string): void {
  if (knownTo.size < maxKnownTo) knownTo.add(peer);
}

/** Whether a peer knows a rumour, and whether this agent is a witness of it. */
function knowsAllOf({ knownTo, witnessKnownTo, witnessedMs }: Rumour, peer: string): boolean {
  return knownTo.has(peer) && (witnessedMs === undefined || witnessKnownTo.has(peer));
}

function isOver({ bornMs, witnessedMs }: Rumour, nowMs: number): boolean {
  return nowMs - (witnessedMs ?? bornMs) >= hintLifetimeMs;
}
