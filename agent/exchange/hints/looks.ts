import type { Reachability } from '../../model/path-state.js';
import type { Clock } from '../../platform/clock.js';
import type { HintChange } from './hint.js';
import { LaneCounts } from './lane-counts.js';

/** What became of a received hint: it led to a probe, told nothing new, or was not followed. */
export type HintUse = 'probed' | 'known' | 'refused';

/** What this agent's own probes know of a subject. */
export interface Activity {
  readonly state: Reachability;
  /** When the last probe was sent, in monotonic milliseconds, -Infinity for never. */
  readonly sentMs: number;
}

/** How subjects are looked at. */
export interface Looking<S> {
  /** Subjects of the same key are looked at by the same probe. */
  lookKeyOf(subject: S): string;
  /** Subjects of one lane wait for each other, and lanes take turns: a trouble of thousands holds up no other one. */
  laneOf(subject: S): string;
  /** Undefined where this agent does not probe it. */
  activity(subject: S): Activity | undefined;
  /** Sends one probe. Its result is treated like any other. */
  look(subject: S): void;
  /** Over this time the looks of all agents at one hint are spread: each waits a random share of it. */
  spreadMs(subject: S, change: HintChange, bornMs: number): number;
  /** A subject is looked at because of hints no more often than this. */
  readonly leastGapMs: number;
  /** A look that would come later is of no use to anyone: the agent does not look. */
  readonly latestMs: number;
  /** Who finds a subject unchanged looks again so much later; undefined: never. */
  againMs(subject: S, spreadMs: number): number | undefined;
}

/** A look that waits for its time. */
interface PendingLook<S> {
  readonly subject: S;
  readonly lane: string;
  readonly change: HintChange;
  readonly bornMs: number;
  readonly heardMs: number;
  /** The time over which the looks of all agents are spread, as known now. */
  spreadMs: number;
  dueMs: number;
  cancel: () => void;
}

/** How many looks may wait. Above it the fullest lane makes room for the others, and further hints of it are refused. */
const maxPending = 1024;

/**
 * Follows hints with one look each. There is none if the subject was probed after the change, and no two within the
 * least gap. All agents hear the same hint, so each waits a random time.
 */
export class Looks<S> {
  readonly #pending = new Map<string, PendingLook<S>>();
  readonly #lanes = new LaneCounts();
  /** Until when a subject is not looked at again because of hints, the earliest first. */
  readonly #restUntilMs = new Map<string, number>();
  readonly #again = new Set<() => void>();
  readonly #looking: Looking<S>;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(looking: Looking<S>, clock: Clock, random: () => number) {
    this.#looking = looking;
    this.#clock = clock;
    this.#random = random;
  }

  follow(subject: S, change: HintChange, bornMs: number): HintUse {
    const key = this.#looking.lookKeyOf(subject);
    const heardMs = this.#clock.nowMs();
    const pending = this.#pending.get(key);
    if (pending) {
      if (pending.change === change) this.#hasten(key, pending);
      return 'known';
    }
    if (!this.#isUseful(subject, change, bornMs)) return 'known';
    const lane = this.#looking.laneOf(subject);
    if (this.#rests(key) || !this.#makeRoom(lane)) return 'refused';
    const look: PendingLook<S> = {
      subject,
      lane,
      change,
      bornMs,
      heardMs,
      spreadMs: Infinity,
      dueMs: Infinity,
      cancel: () => undefined,
    };
    this.#pending.set(key, look);
    this.#lanes.add(lane);
    this.#hasten(key, look);
    if (look.dueMs - heardMs <= this.#looking.latestMs) return 'probed';
    // Its share of the time is drawn, whether it looks or not.
    this.#forget(key);
    this.#rest(key, heardMs + Math.max(look.spreadMs, this.#looking.leastGapMs));
    return 'refused';
  }

  /** Looks at once at what may be changing, but no more often than at any hint. */
  lookNow(subject: S, change: HintChange): void {
    const key = this.#looking.lookKeyOf(subject);
    const nowMs = this.#clock.nowMs();
    if (this.#pending.has(key) || this.#rests(key) || !this.#isUseful(subject, change, nowMs))
      return;
    this.#rest(key, nowMs + this.#looking.leastGapMs);
    this.#looking.look(subject);
  }

  stop(): void {
    for (const { cancel } of this.#pending.values()) cancel();
    for (const cancel of this.#again) cancel();
    this.#pending.clear();
  }

  /** Lets one more look of a lane wait, if need be in place of the newest one of a lane with more of them. Returns whether it may. */
  #makeRoom(lane: string): boolean {
    if (this.#pending.size < maxPending) return true;
    const fullest = this.#lanes.fullest();
    if (this.#lanes.of(fullest) <= this.#lanes.of(lane) + 1) return false;
    const its = [...this.#pending].filter(([, look]) => look.lane === fullest);
    const [key = ''] = its.at(-1) ?? [];
    this.#forget(key);
    return true;
  }

  #forget(key: string): void {
    const look = this.#pending.get(key);
    if (!look) return;
    look.cancel();
    this.#pending.delete(key);
    this.#lanes.remove(look.lane);
  }

  /**
   * Waits a random share of the spread. If more witnesses make the spread smaller, a new share is drawn that counts from
   * now. If it counted from the arrival of the hint, all overdue looks would come at once.
   */
  #hasten(key: string, look: PendingLook<S>): void {
    const spreadMs = this.#looking.spreadMs(look.subject, look.change, look.bornMs);
    if (spreadMs >= look.spreadMs) return;
    look.spreadMs = spreadMs;
    const nowMs = this.#clock.nowMs();
    const dueMs = nowMs + this.#random() * spreadMs;
    if (dueMs >= look.dueMs) return;
    look.dueMs = dueMs;
    look.cancel();
    look.cancel = this.#clock.after(dueMs - nowMs, () => this.#look(key, look));
  }

  #look(key: string, { subject, change, bornMs, heardMs, spreadMs }: PendingLook<S>): void {
    this.#forget(key);
    const againMs = this.#looking.againMs(subject, spreadMs);
    if (againMs !== undefined) {
      const cancel = this.#clock.after(againMs, () => {
        this.#again.delete(cancel);
        if (this.#isUseful(subject, change, bornMs + againMs)) this.#looking.look(subject);
      });
      this.#again.add(cancel);
    }
    if (!this.#isUseful(subject, change, bornMs)) return;
    // Pauses while other agents may still look, or repeated hints would add up.
    const nowMs = this.#clock.nowMs();
    this.#rest(key, Math.max(nowMs + this.#looking.leastGapMs, heardMs + spreadMs));
    this.#looking.look(subject);
  }

  #rests(key: string): boolean {
    return this.#clock.nowMs() < (this.#restUntilMs.get(key) ?? -Infinity);
  }

  #rest(key: string, untilMs: number): void {
    if (this.#restUntilMs.size >= maxPending) {
      for (const other of this.#restUntilMs.keys()) {
        if (!this.#rests(other)) this.#restUntilMs.delete(other);
      }
    }
    this.#restUntilMs.set(key, untilMs);
  }

  /** Whether a look may tell something new: the state differs, and no probe has been sent since the change. */
  #isUseful(subject: S, change: HintChange, sinceMs: number): boolean {
    const activity = this.#looking.activity(subject);
    if (!activity || activity.sentMs >= sinceMs) return false;
    return activity.state !== (change === 'failure' ? 'unreachable' : 'reachable');
  }
}
