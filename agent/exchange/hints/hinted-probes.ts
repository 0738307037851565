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

/** How subjects are probed because of hints. */
export interface HintedProbing<S> {
  /** One probe serves all subjects of a key. */
  probeKeyOf(subject: S): string;
  /** Subjects of one lane wait for each other, and lanes take turns: a trouble of thousands holds up no other one. */
  laneOf(subject: S): string;
  /** Undefined where this agent does not probe it. */
  activity(subject: S): Activity | undefined;
  /** Sends one probe. Its result is treated like any other. */
  probe(subject: S): void;
  /** Over this time the probes of all agents at one hint are spread: each waits a random share of it. */
  spreadMs(subject: S, change: HintChange, bornMs: number): number;
  /** A subject is probed because of hints no more often than this. */
  readonly leastGapMs: number;
  /** A probe that would come later is of no use to anyone: none is sent. */
  readonly latestMs: number;
  /** Who finds a subject unchanged probes it again so much later; undefined: never. */
  againMs(subject: S, spreadMs: number): number | undefined;
}

/** A probe that waits for its time. */
interface PendingProbe<S> {
  readonly subject: S;
  readonly lane: string;
  readonly change: HintChange;
  readonly bornMs: number;
  readonly heardMs: number;
  /** The time over which the probes of all agents are spread, as known now. */
  spreadMs: number;
  dueMs: number;
  cancel: () => void;
}

/** How many probes may wait. Above it the fullest lane makes room for the others, and further hints of it are refused. */
const maxPending = 1024;

/**
 * Follows hints with one probe each. There is none if the subject was probed after the change, and no two within the
 * least gap. All agents hear the same hint, so each waits a random time.
 */
export class HintedProbes<S> {
  readonly #pending = new Map<string, PendingProbe<S>>();
  readonly #lanes = new LaneCounts();
  /** Until when a subject is not probed again because of hints, the earliest first. */
  readonly #restUntilMs = new Map<string, number>();
  readonly #again = new Set<() => void>();
  readonly #probing: HintedProbing<S>;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(probing: HintedProbing<S>, clock: Clock, random: () => number) {
    this.#probing = probing;
    this.#clock = clock;
    this.#random = random;
  }

  follow(subject: S, change: HintChange, bornMs: number): HintUse {
    const key = this.#probing.probeKeyOf(subject);
    const heardMs = this.#clock.nowMs();
    const pending = this.#pending.get(key);
    if (pending) {
      if (pending.change === change) this.#hasten(key, pending);
      return 'known';
    }
    if (!this.#isUseful(subject, change, bornMs)) return 'known';
    const lane = this.#probing.laneOf(subject);
    if (this.#rests(key) || !this.#makeRoom(lane)) return 'refused';
    const waiting: PendingProbe<S> = {
      subject,
      lane,
      change,
      bornMs,
      heardMs,
      spreadMs: Infinity,
      dueMs: Infinity,
      cancel: () => undefined,
    };
    this.#pending.set(key, waiting);
    this.#lanes.add(lane);
    this.#hasten(key, waiting);
    if (waiting.dueMs - heardMs <= this.#probing.latestMs) return 'probed';
    // Its share of the time is drawn, whether it probes or not.
    this.#forget(key);
    this.#rest(key, heardMs + Math.max(waiting.spreadMs, this.#probing.leastGapMs));
    return 'refused';
  }

  /** Probes at once what may be changing, but no more often than at any hint. */
  probeNow(subject: S, change: HintChange): void {
    const key = this.#probing.probeKeyOf(subject);
    const nowMs = this.#clock.nowMs();
    if (this.#pending.has(key) || this.#rests(key) || !this.#isUseful(subject, change, nowMs))
      return;
    this.#rest(key, nowMs + this.#probing.leastGapMs);
    this.#probing.probe(subject);
  }

  stop(): void {
    for (const { cancel } of this.#pending.values()) cancel();
    for (const cancel of this.#again) cancel();
    this.#pending.clear();
  }

  /** Lets one more probe of a lane wait, if need be in place of the newest one of a lane with more of them. Returns whether it may. */
  #makeRoom(lane: string): boolean {
    if (this.#pending.size < maxPending) return true;
    const fullest = this.#lanes.fullest();
    if (this.#lanes.of(fullest) <= this.#lanes.of(lane) + 1) return false;
    const its = [...this.#pending].filter(([, waiting]) => waiting.lane === fullest);
    const [key = ''] = its.at(-1) ?? [];
    this.#forget(key);
    return true;
  }

  #forget(key: string): void {
    const waiting = this.#pending.get(key);
    if (!waiting) return;
    waiting.cancel();
    this.#pending.delete(key);
    this.#lanes.remove(waiting.lane);
  }

  /**
   * Waits a random share of the spread. If more witnesses make the spread smaller, a new share is drawn that counts from
   * now. If it counted from the arrival of the hint, all overdue probes would come at once.
   */
  #hasten(key: string, waiting: PendingProbe<S>): void {
    const spreadMs = this.#probing.spreadMs(waiting.subject, waiting.change, waiting.bornMs);
    if (spreadMs >= waiting.spreadMs) return;
    waiting.spreadMs = spreadMs;
    const nowMs = this.#clock.nowMs();
    const dueMs = nowMs + this.#random() * spreadMs;
    if (dueMs >= waiting.dueMs) return;
    waiting.dueMs = dueMs;
    waiting.cancel();
    waiting.cancel = this.#clock.after(dueMs - nowMs, () => this.#probe(key, waiting));
  }

  #probe(key: string, { subject, change, bornMs, heardMs, spreadMs }: PendingProbe<S>): void {
    this.#forget(key);
    const againMs = this.#probing.againMs(subject, spreadMs);
    if (againMs !== undefined) {
      const cancel = this.#clock.after(againMs, () => {
        this.#again.delete(cancel);
        if (this.#isUseful(subject, change, bornMs + againMs)) this.#probing.probe(subject);
      });
      this.#again.add(cancel);
    }
    if (!this.#isUseful(subject, change, bornMs)) return;
    // Pauses while other agents may still probe, or repeated hints would add up.
    const nowMs = this.#clock.nowMs();
    this.#rest(key, Math.max(nowMs + this.#probing.leastGapMs, heardMs + spreadMs));
    this.#probing.probe(subject);
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

  /** Whether a probe may tell something new: the state differs, and no probe has been sent since the change. */
  #isUseful(subject: S, change: HintChange, sinceMs: number): boolean {
    const activity = this.#probing.activity(subject);
    if (!activity || activity.sentMs >= sinceMs) return false;
    return activity.state !== (change === 'failure' ? 'unreachable' : 'reachable');
  }
}
