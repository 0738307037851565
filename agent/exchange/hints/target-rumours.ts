import type { Clock } from '../../platform/clock.js';
import { hintLifetimeMs, type HintChange } from './hint.js';
import { TokenBuckets } from './token-buckets.js';
import {
  maxTargetHintsPerMessage,
  targetHintKey,
  targetPlaneKey,
  type TargetHint,
  type TargetSubject,
} from './target-hint.js';

/** The state of a target as this agent sees it by its own probes. Times are monotonic milliseconds. */
export interface TargetActivity {
  readonly state: 'unknown' | 'reachable' | 'unreachable';
  /** When the last probe was sent, -Infinity for never. */
  readonly sentMs: number;
}

/** The part of the probing of targets that hints use. */
export interface TargetProbing {
  /** Whether this agent has a target of that name and definition. What is said of others goes no further. */
  isKnown(subject: TargetSubject): boolean;
  /** Undefined where this process does not probe it. */
  activity(subject: TargetSubject): TargetActivity | undefined;
  /** Looks at it once. The result is treated like any other. */
  look(subject: TargetSubject): void;
  /** The looks of all agents at one hint are spread over this time. */
  spreadMs(subject: TargetSubject, change: HintChange): number;
}

/** A target that some node saw fail: who has looked since then says so. */
export interface TargetDoubt extends TargetSubject {
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
}

interface Rumour {
  readonly subject: TargetSubject;
  readonly change: HintChange;
  readonly bornMs: number;
  /** Nodes that saw it themselves. */
  readonly witnesses: Set<string>;
  /** The peers that have heard it of this agent, or told it. */
  readonly knownTo: Set<string>;
  /** The witnesses whose rows were asked for. */
  readonly asked: Set<string>;
  timesTold: number;
}

export interface TargetRumoursOptions {
  readonly localName: string;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly probing: TargetProbing;
  /** How many nodes hear the same hint. */
  readonly nodes: () => number;
  readonly isListed: (node: string) => boolean;
  /** Sends the next GET to a witness now: its row comes with the answer. */
  readonly askWitness: (node: string) => void;
  /** Asks some more peers for their rows: they may reach it. */
  readonly askForRows: () => void;
}

/** Sixteen targets from two planes, each with eight DNS servers at the most: there are no more subjects. */
const capacity = 288;
const maxWitnesses = 16;
const maxKnownTo = 64;

/** News costs GETs of every agent, and one peer may say what it likes: so much of what it brings is taken as news. */
const newsOfSender = { most: 64, perSecond: 1 } as const;
/** So often it is news that a subject has changed again, whoever says so. */
const changesOfSubject = { most: 3, perSecond: 1 / 60 } as const;

/** So long a change is no news to those who have heard of it. Later it is spread again. */
const newsRestMs = 30_000;

/** A target is doubtful for so long after the last hint that it fails. */
const doubtMs = 120_000;

/** So many witnesses are asked for their rows: as many looks open a finding (target-seen.ts). */
const askedWitnesses = 10;

/** The same for all targets together, whatever is said: three faults at once, and then one ask a second. */
const asks = { most: 3 * askedWitnesses, perSecond: 1 } as const;

/** News makes an agent ask for some of the oldest rows, but no more often than this. */
const rowsRestMs = 4000;

/** All agents hear the same hint: so many of them a second ask, and each asks a random witness. */
const asksPerSecond = 1000;

/** Where all agents look within this time, those that looked right after the change and do not see it look again. */
const atOnceMs = 1000;
const lookAgainMs = 300;

/** A hint makes an agent look at the same target no more often than this. */
const leastRestMs = 4000;

/** A look that would come later than this would be of no use to anyone: the agent does not look. */
const latestLookMs = 5000;

/**
 * What agents tell each other of targets that changed. A hint brings the rows of witnesses, and a random share
 * of the agents looks for itself, within the budget of the target. No hint changes a state.
 */
export class TargetRumours {
  readonly #options: TargetRumoursOptions;
  /** The least recently born first. */
  readonly #rumours = new Map<string, Rumour>();
  readonly #doubts = new Map<string, TargetDoubt & { untilMs: number }>();
  readonly #restUntilMs = new Map<string, number>();
  readonly #timers = new Set<() => void>();
  readonly #news = new TokenBuckets(newsOfSender);
  readonly #changes = new TokenBuckets(changesOfSubject);
  readonly #asks = new TokenBuckets(asks);
  #rowsAskedMs = -Infinity;

  constructor(options: TargetRumoursOptions) {
    this.#options = options;
  }

  /** Notes what this node saw itself. Returns whether it is news. */
  witness(subject: TargetSubject, change: HintChange): boolean {
    const { clock, localName } = this.#options;
    return this.#note({ ...subject, change, ageMs: 0, witness: localName }, clock.nowMs(), '');
  }

  /** Takes the hints of a peer. Returns whether any of them is news. */
  hear(hints: readonly TargetHint[], from: string): boolean {
    const { clock, localName, probing, isListed, askForRows } = this.#options;
    let hasNews = false;
    for (const hint of hints) {
      if (hint.witness === localName || !isListed(hint.witness)) continue;
      if (!probing.isKnown(hint)) continue;
      if (this.#note(hint, clock.nowMs(), from)) {
        hasNews = true;
        this.#follow(hint);
      }
      this.#askLater(hint);
    }
    const nowMs = clock.nowMs();
    if (hasNews && nowMs - this.#rowsAskedMs >= rowsRestMs) {
      this.#rowsAskedMs = nowMs;
      askForRows();
    }
    return hasNews;
  }

  /** The hints to send to a peer now, those sent least often first. They count as sent. */
  take(to: string): TargetHint[] {
    const { clock, random } = this.#options;
    const nowMs = clock.nowMs();
    return this.#current(nowMs)
      .sort((a, b) => a.timesTold - b.timesTold || b.bornMs - a.bornMs)
      .slice(0, maxTargetHintsPerMessage)
      .map((rumour) => {
        rumour.timesTold++;
        if (rumour.knownTo.size < maxKnownTo) rumour.knownTo.add(to);
        const { subject, change, bornMs, witnesses } = rumour;
        const witness = [...witnesses][Math.floor(random() * witnesses.size)] ?? '';
        return { ...subject, change, ageMs: nowMs - bornMs, witness };
      });
  }

  /** Whether there is anything that is worth a GET of its own. */
  hasNews(): boolean {
    return this.#current(this.#options.clock.nowMs()).length > 0;
  }

  /** Whether a peer may not have heard all of what is new. */
  hasNewsFor(peer: string): boolean {
    return this.#current(this.#options.clock.nowMs()).some(({ knownTo }) => !knownTo.has(peer));
  }

  /** Whether another node lately saw the same change of a target, from any plane. */
  isSeenByOthers({ target, digest, server }: TargetSubject, change: HintChange): boolean {
    const { clock, localName } = this.#options;
    const nowMs = clock.nowMs();
    return [...this.#rumours.values()].some(
      ({ subject, change: seen, bornMs, witnesses }) =>
        subject.target === target &&
        subject.digest === digest &&
        subject.server === server &&
        seen === change &&
        nowMs - bornMs < newsRestMs &&
        [...witnesses].some((witness) => witness !== localName),
    );
  }

  /** The targets that some node saw fail lately. */
  doubts(): TargetDoubt[] {
    const nowMs = this.#options.clock.nowMs();
    for (const [key, { untilMs }] of this.#doubts) if (untilMs <= nowMs) this.#doubts.delete(key);
    return [...this.#doubts.values()];
  }

  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** Returns whether it is news: another change than the one known, or one of long ago. */
  #note(hint: TargetHint, nowMs: number, from: string): boolean {
    const { change, ageMs, witness, ...subject } = hint;
    const key = targetHintKey(subject);
    const bornMs = nowMs - ageMs;
    const known = this.#rumours.get(key);
    const isRecent = known !== undefined && nowMs - known.bornMs < newsRestMs;
    if (isRecent && known.change === change) {
      this.#prolongDoubt(key, nowMs);
      if (known.witnesses.size < maxWitnesses) known.witnesses.add(witness);
      if (known.knownTo.size < maxKnownTo) known.knownTo.add(from);
      return false;
    }
    if (isRecent && bornMs <= known.bornMs) return false;
    if (from !== '') {
      // What is said again after half a minute is rare enough.
      const isChange = known?.change !== change;
      if (!this.#news.has(from, nowMs) || (isChange && !this.#changes.take(key, nowMs)))
        return false;
      this.#news.take(from, nowMs);
    }
    if (change === 'failure') this.#doubt(key, subject, bornMs, nowMs);
    else this.#doubts.delete(key);
    this.#rumours.delete(key);
    this.#rumours.set(key, {
      subject,
      change,
      bornMs,
      witnesses: new Set([witness]),
      knownTo: new Set([from]),
      asked: new Set(),
      timesTold: 0,
    });
    const [oldest] = this.#rumours.keys();
    if (this.#rumours.size > capacity && oldest !== undefined) this.#rumours.delete(oldest);
    return true;
  }

  #doubt(key: string, subject: TargetSubject, bornMs: number, nowMs: number): void {
    this.#doubts.delete(key);
    this.#doubts.set(key, { ...subject, sinceMs: bornMs, untilMs: nowMs + doubtMs });
    const [oldest] = this.#doubts.keys();
    if (this.#doubts.size > capacity && oldest !== undefined) this.#doubts.delete(oldest);
  }

  #prolongDoubt(key: string, nowMs: number): void {
    const doubt = this.#doubts.get(key);
    if (doubt) doubt.untilMs = nowMs + doubtMs;
  }

  /** Looks at the target, if this agent is one of the share that may. */
  #follow(hint: TargetHint): void {
    const { clock, random, probing } = this.#options;
    // A look asks all servers, so what is said of one of them gives no further look.
    const key = targetPlaneKey(hint);
    const nowMs = clock.nowMs();
    const bornMs = nowMs - hint.ageMs;
    const verdict = hint.change === 'failure' ? 'unreachable' : 'reachable';
    const isUseful = (): boolean => {
      const activity = probing.activity(hint);
      return activity !== undefined && activity.sentMs < bornMs && activity.state !== verdict;
    };
    if (!isUseful() || nowMs < (this.#restUntilMs.get(key) ?? -Infinity)) return;
    const spreadMs = probing.spreadMs(hint, hint.change);
    // Whether it looks or not: its share of this time is drawn.
    this.#restUntilMs.set(key, nowMs + Math.max(spreadMs, leastRestMs));
    if (this.#restUntilMs.size > capacity) this.#forgetRests(nowMs);
    const delayMs = random() * spreadMs;
    if (delayMs > latestLookMs) return;
    this.#after(delayMs, () => {
      if (isUseful()) probing.look(hint);
    });
    // A server counts as failing since the look before its verdict: that is long enough ago.
    if (spreadMs > atOnceMs || hint.server !== undefined) return;
    // Rows tell ages in tenths of seconds: that it is well counts if it was seen two of them after the change.
    this.#after(lookAgainMs + delayMs, () => {
      const activity = probing.activity(hint);
      if (activity && activity.state !== verdict && activity.sentMs < bornMs + lookAgainMs) {
        probing.look(hint);
      }
    });
  }

  /** Asks a witness for its row, at a random time: its row, not the hint, is what counts. */
  #askLater(hint: TargetHint): void {
    const { clock, random, nodes, askWitness } = this.#options;
    const rumour = this.#rumours.get(targetHintKey(hint));
    if (rumour?.change !== hint.change || rumour.asked.size >= askedWitnesses) return;
    if (rumour.asked.has(hint.witness) || !this.#asks.take('', clock.nowMs())) return;
    rumour.asked.add(hint.witness);
    this.#after((random() * nodes() * 1000) / asksPerSecond, () => askWitness(hint.witness));
  }

  #forgetRests(nowMs: number): void {
    for (const [key, untilMs] of this.#restUntilMs) {
      if (untilMs <= nowMs) this.#restUntilMs.delete(key);
    }
  }

  #after(delayMs: number, action: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
  }

  #current(nowMs: number): Rumour[] {
    return [...this.#rumours.values()].filter(({ bornMs }) => nowMs - bornMs < hintLifetimeMs);
  }
}
