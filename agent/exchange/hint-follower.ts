import type { Reachability } from '../model/path-state.js';
import type { Path } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import type { Clock } from '../platform/clock.js';
import { hintKey, type Hint, type HintChange, type HintSubject } from './hint.js';
import { lookSpreadMs, minLookGapMs } from './look-delay.js';

/** What the probing knows of a path by one protocol. Times are monotonic milliseconds, -Infinity for never. */
export interface PathActivity {
  readonly state: Reachability;
  /** When the last probe was sent. */
  readonly sentMs: number;
  /** When the newest answered probe was sent. */
  readonly answeredSentMs: number;
}

/** The probing, as far as hints need it. */
export interface HintProbing {
  /** Undefined where the path is not probed by that protocol, or was not yet. */
  activity(path: Path, protocol: Protocol): PathActivity | undefined;
  /** Sends one probe when the agent's own confirmations leave room; how it ends is judged as ever. */
  look(path: Path, protocol: Protocol): void;
}

/** What became of a hint that was received. */
export type HintUse = 'probed' | 'known' | 'refused';

export interface HintFollowerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly probing: HintProbing;
  /** The primary path of a subject; undefined where it is not listed. */
  readonly pathOf: (subject: HintSubject) => Path | undefined;
  readonly nodes: () => number;
  /** How many peers say that they saw the change themselves. */
  readonly witnesses: (hint: Hint) => number;
  readonly onUse: (use: HintUse) => void;
}

/** A look that waits for its time. */
interface PendingLook {
  readonly bornMs: number;
  readonly hint: Hint;
  readonly heardMs: number;
  /** Over how long all agents' looks are spread, as far as is known now. */
  spreadMs: number;
  dueMs: number;
  cancel: () => void;
}

/** Looks that wait at once; hints past it are refused. */
const maxPending = 1024;

/**
 * Looks at what peers hint at: one probe, not at all where the path was probed since the hint was born, and no
 * more often than every two seconds. GETs and recoveries wait a random time, for all agents hear the same hint.
 */
export class HintFollower {
  readonly #options: HintFollowerOptions;
  readonly #pending = new Map<string, PendingLook>();
  /** Until when a subject is not looked at again, the earliest first. */
  readonly #restUntilMs = new Map<string, number>();

  constructor(options: HintFollowerOptions) {
    this.#options = options;
  }

  /** Takes a hint that is well formed and about a listed node. */
  follow(hint: Hint): void {
    const { clock, onUse } = this.#options;
    const key = hintKey(hint);
    const nowMs = clock.nowMs();
    const pending = this.#pending.get(key);
    if (pending) {
      onUse('known');
      if (pending.hint.change === hint.change) this.#hasten(key, pending);
      return;
    }
    const bornMs = nowMs - hint.ageMs;
    if (!this.#isNew(hint, hint.change, bornMs)) {
      onUse('known');
      return;
    }
    if (nowMs < (this.#restUntilMs.get(key) ?? -Infinity) || this.#pending.size >= maxPending) {
      onUse('refused');
      return;
    }
    onUse('probed');
    const look: PendingLook = {
      ...{ bornMs, hint, heardMs: nowMs, spreadMs: Infinity, dueMs: Infinity },
      cancel: () => undefined,
    };
    this.#pending.set(key, look);
    this.#hasten(key, look);
  }

  /** Looks at a path of a node of which another path may be changing, at once but as rarely as any. */
  lookBeside(subject: HintSubject, change: HintChange): void {
    const { clock, probing, pathOf } = this.#options;
    const key = hintKey(subject);
    const nowMs = clock.nowMs();
    const path = pathOf(subject);
    if (!path || this.#pending.has(key) || nowMs < (this.#restUntilMs.get(key) ?? -Infinity))
      return;
    if (!this.#isNew(subject, change, nowMs)) return;
    this.#rest(key, nowMs + minLookGapMs, nowMs);
    probing.look(path, subject.protocol);
  }

  stop(): void {
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
  }

  /**
   * Waits a random share of the spread. Where more witnesses make it smaller, the share is drawn anew and counts
   * from now: counting from when the hint came, all that would be due already would come at once.
   */
  #hasten(key: string, look: PendingLook): void {
    const { clock, random } = this.#options;
    const spreadMs = this.#spreadMs(look);
    if (spreadMs >= look.spreadMs) return;
    look.spreadMs = spreadMs;
    const nowMs = clock.nowMs();
    const dueMs = nowMs + random() * spreadMs;
    if (dueMs >= look.dueMs) return;
    look.dueMs = dueMs;
    look.cancel();
    look.cancel = clock.after(dueMs - nowMs, () => this.#look(key, look));
  }

  #look(key: string, look: PendingLook): void {
    const { clock, probing, pathOf } = this.#options;
    const { hint, bornMs, heardMs } = look;
    this.#pending.delete(key);
    const path = pathOf(hint);
    if (!path || !this.#isNew(hint, hint.change, bornMs)) return;
    const nowMs = clock.nowMs();
    // Rests as long as the others may still look, or repeated hints would add up.
    this.#rest(key, Math.max(nowMs + minLookGapMs, heardMs + look.spreadMs), nowMs);
    probing.look(path, hint.protocol);
  }

  #rest(key: string, untilMs: number, nowMs: number): void {
    if (this.#restUntilMs.size >= maxPending) {
      for (const [other, otherMs] of this.#restUntilMs) {
        if (otherMs <= nowMs) this.#restUntilMs.delete(other);
      }
    }
    this.#restUntilMs.set(key, untilMs);
  }

  #spreadMs({ hint, bornMs }: PendingLook): number {
    const { probing, pathOf, nodes, witnesses } = this.#options;
    const path = pathOf(hint);
    const echo = path && probing.activity(path, 'icmp');
    return lookSpreadMs({
      protocol: hint.protocol,
      change: hint.change,
      nodes: nodes(),
      witnesses: witnesses(hint),
      answersEchoes: echo !== undefined && echo.answeredSentMs >= bornMs,
    });
  }

  /** Whether a look may tell what is not known: the state is another one, and no probe has been sent since. */
  #isNew(subject: HintSubject, change: HintChange, bornMs: number): boolean {
    const { probing, pathOf } = this.#options;
    const path = pathOf(subject);
    const activity = path && probing.activity(path, subject.protocol);
    if (!activity || activity.sentMs >= bornMs) return false;
    return activity.state !== (change === 'failure' ? 'unreachable' : 'reachable');
  }
}
