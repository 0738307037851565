import type { Reachability } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';
import { hintKey, type Hint, type HintChange, type HintSubject } from './hint.js';
import { lookSpreadMs, minLookGapMs } from './look-delay.js';

/** The state of a path by one protocol. Times are monotonic milliseconds, -Infinity for never. */
export interface PathActivity {
  readonly state: Reachability;
  /** When the last probe was sent. */
  readonly sentMs: number;
  /** When the newest answered probe was sent. */
  readonly answeredSentMs: number;
}

/** The part of probing that hints use. */
export interface HintProbing {
  /** Undefined if that protocol does not probe the path, or has not yet. */
  activity(path: Path, protocol: Protocol): PathActivity | undefined;
  /**
   * Sends one probe when the agent's own confirmations leave room. Its result is treated like any
   * other.
   */
  look(path: Path, protocol: Protocol): void;
}

/** The use of a received hint. */
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

/** A probe because of a hint that waits for its time. */
interface PendingLook {
  readonly bornMs: number;
  readonly hint: Hint;
  readonly heardMs: number;
  /** The time over which the probes of all agents are spread, as known now. */
  spreadMs: number;
  dueMs: number;
  cancel: () => void;
}

/** How many such probes may wait. Further hints are refused. */
const maxPending = 1024;

/**
 * Follows the hints of peers with one probe each. No probe is sent if the path was probed after the
 * change, and never two within two seconds. GETs and recoveries wait a random time, because all
 * agents hear the same hint.
 */
export class HintFollower {
  readonly #options: HintFollowerOptions;
  readonly #pending = new Map<string, PendingLook>();
  /** Until when a subject is not probed again because of hints, the earliest first. */
  readonly #restUntilMs = new Map<string, number>();

  constructor(options: HintFollowerOptions) {
    this.#options = options;
  }

  /** Takes a valid hint about a listed node. */
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
      bornMs,
      hint,
      heardMs: nowMs,
      spreadMs: Infinity,
      dueMs: Infinity,
      cancel: () => undefined,
    };
    this.#pending.set(key, look);
    this.#hasten(key, look);
  }

  /**
   * Probes a path of a node whose other path may be changing: at once, but no more often than any
   * hint.
   */
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
   * Waits a random share of the spread. If more witnesses make the spread smaller, a new share is
   * drawn that counts from now. If it counted from the arrival of the hint, all overdue probes
   * would be sent at once.
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
    // Pauses while other agents may still probe, or repeated hints would add up.
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

  /**
   * Whether a probe may tell something new: the state differs, and no probe has been sent since the
   * change.
   */
  #isNew(subject: HintSubject, change: HintChange, bornMs: number): boolean {
    const { probing, pathOf } = this.#options;
    const path = pathOf(subject);
    const activity = path && probing.activity(path, subject.protocol);
    if (!activity || activity.sentMs >= bornMs) return false;
    return activity.state !== (change === 'failure' ? 'unreachable' : 'reachable');
  }
}
