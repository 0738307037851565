import type { Clock } from '../../platform/clock.js';
import { hintLifetimeMs, type HintChange } from './hint.js';
import { LaneCounts } from './lane-counts.js';
import { HintedProbes, type HintUse, type HintedProbing } from './hinted-probes.js';
import { TokenBuckets } from '../../platform/token-buckets.js';

/** What any hint tells of its subject. */
export interface Telling {
  readonly change: HintChange;
  readonly ageMs: number;
}

/** How subjects of one kind are told, replaced and probed. */
export interface SubjectKind<S, H extends S & Telling> extends HintedProbing<S> {
  /** Of two rumours with the same key the newer one replaces the other. */
  keyOf(subject: S): string;
  /** Whether the subject exists here. What is said of others goes no further. */
  isKnown(hint: H): boolean;
  /** The node that saw the change itself; undefined where the peer does not say. */
  witnessOf(hint: H, from: string): string | undefined;
  /** The hint as this agent tells it. */
  hintOf(subject: S, telling: Telling, witnesses: ReadonlySet<string>): H;
  encode(hint: H): string;
  /** How many hints, and how many bytes of them, go with one message. */
  readonly perMessage: { readonly hints: number; readonly bytes: number };
  /** How many rumours are kept. Above it the oldest of the fullest lane is forgotten. */
  readonly capacity: number;
  /** So long the same change is no news. */
  readonly newsRestMs: number;
  /** So long after it was told last a rumour is remembered. */
  readonly keptMs: number;
  /** Who sees itself what is known already renews it: it is news, and all are told that there is one more witness. */
  readonly isRenewed: boolean;
  /** Peers are told what they know already: each time with another witness. */
  readonly isSentAgain: boolean;
  /** So much of what one peer brings is news. */
  readonly newsOfSender: { readonly most: number; readonly perSecond: number };
  /** So often it is news that a subject has changed back, whoever says so. */
  readonly changesOfSubject: { readonly most: number; readonly perSecond: number };
}

/** What a hint was to the hearer: news, known already, about nothing that exists or older than what is known, or too much. */
type Heard = 'news' | 'known' | 'ignored' | 'refused';

/** A change that some node saw. */
export interface Rumour<S> {
  readonly subject: S;
  readonly change: HintChange;
  readonly lane: string;
  /** When any known agent saw it first, in monotonic milliseconds. */
  readonly bornMs: number;
  /** The same, or when this agent saw it itself. */
  seenMs: number;
  /** When it was told last. */
  heardMs: number;
  /** The nodes that are known to have seen it themselves. */
  readonly witnesses: Set<string>;
  /** The peers that know it already, and those that know also that this agent saw it itself. */
  readonly knownTo: Set<string>;
  readonly witnessKnownTo: Set<string>;
  timesSent: number;
}

export interface RumoursOptions<S, H extends S & Telling> {
  readonly localName: string;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly kind: SubjectKind<S, H>;
  readonly onUse: (use: HintUse) => void;
}

/** At most so many are remembered: more are never needed. */
const maxWitnesses = 16;
const maxKnownTo = 64;

/**
 * The recent changes that this agent saw or heard of, one of each subject. It passes them on and probes for itself. Number and
 * time are bounded, and no hint changes a state.
 */
export class Rumours<S, H extends S & Telling> {
  readonly #options: RumoursOptions<S, H>;
  readonly #probes: HintedProbes<S>;
  readonly #news: TokenBuckets;
  readonly #changes: TokenBuckets;
  /** The least recently changed first. */
  readonly #rumours = new Map<string, Rumour<S>>();
  readonly #lanes = new LaneCounts();
  /** When a rumour of each lane that others had told was forgotten last to make room, in monotonic milliseconds. */
  readonly #crowdedMs = new Map<string, number>();

  constructor(options: RumoursOptions<S, H>) {
    const { kind, clock, random } = options;
    this.#options = options;
    this.#probes = new HintedProbes(kind, clock, random);
    this.#news = new TokenBuckets(kind.newsOfSender);
    this.#changes = new TokenBuckets(kind.changesOfSubject);
  }

  /** Notes what this agent saw itself. Returns whether it is news. */
  witness(subject: S, change: HintChange): boolean {
    const { kind, localName, clock } = this.#options;
    const nowMs = clock.nowMs();
    const known = this.#recent(subject, nowMs);
    if (known?.change !== change) {
      this.#put(subject, change, nowMs, localName);
      return true;
    }
    known.witnesses.add(localName);
    known.heardMs = nowMs;
    if (!kind.isRenewed) return false;
    known.seenMs = nowMs;
    known.timesSent = 0;
    return true;
  }

  /** Withdraws what this agent saw itself of some subjects, because it may have been its own fault. */
  withdraw(holds: (subject: S) => boolean): void {
    for (const [key, rumour] of this.#rumours) {
      if (!holds(rumour.subject) || !rumour.witnesses.delete(this.#options.localName)) continue;
      rumour.seenMs = rumour.bornMs;
      if (rumour.witnesses.size === 0) this.#forget(key);
    }
  }

  /**
   * Takes a peer's hint, and probes if that may tell something. Returns whether it is news. An older contradiction of a known
   * change is ignored; a newer one replaces it.
   */
  hear(hint: H, from: string): boolean {
    const { clock, onUse } = this.#options;
    const heard = this.#note(hint, from);
    if (heard === 'refused') onUse('refused');
    else if (heard === 'ignored') onUse('known');
    else onUse(this.#probes.follow(hint, hint.change, clock.nowMs() - hint.ageMs));
    return heard === 'news';
  }

  /** Probes at once what may be changing, but no more often than at any hint. */
  probeNow(subject: S, change: HintChange): void {
    this.#probes.probeNow(subject, change);
  }

  /** The hints for a peer that fit into one message: lanes take turns, in each those told least often come first. They count as told. */
  take(to: string): H[] {
    const { kind, clock, localName } = this.#options;
    const nowMs = clock.nowMs();
    const { hints: most, bytes } = kind.perMessage;
    const news = this.current()
      .filter((rumour) => kind.isSentAgain || !this.#knowsAllOf(to, rumour))
      .sort((a, b) => a.timesSent - b.timesSent || b.bornMs - a.bornMs);
    const chosen: H[] = [];
    let left = bytes + 1;
    for (const rumour of inTurns(news).slice(0, most)) {
      const { subject, change, seenMs, witnesses } = rumour;
      const hint = kind.hintOf(subject, { change, ageMs: nowMs - seenMs }, witnesses);
      left -= kind.encode(hint).length + 1;
      if (left < 0) break;
      rumour.timesSent++;
      note(rumour.knownTo, to, maxKnownTo);
      if (witnesses.has(localName)) note(rumour.witnessKnownTo, to, maxKnownTo);
      chosen.push(hint);
    }
    return chosen;
  }

  /** The rumour of a change of a subject; undefined where there is none. */
  find(subject: S, change: HintChange): Rumour<S> | undefined {
    const known = this.#rumours.get(this.#options.kind.keyOf(subject));
    return known?.change === change ? known : undefined;
  }

  /** Whether rumours of a subject's lane that others had told were forgotten lately to make room: then it says nothing that one is not known. */
  hasForgotten(subject: S): boolean {
    const { kind, clock } = this.#options;
    const crowdedMs = this.#crowdedMs.get(kind.laneOf(subject)) ?? -Infinity;
    return clock.nowMs() - crowdedMs < hintLifetimeMs;
  }

  /** How many peers are known to have seen a change themselves. */
  witnesses({ witnesses }: Rumour<S>): number {
    return witnesses.size - (witnesses.has(this.#options.localName) ? 1 : 0);
  }

  /** The rumours of a change that are remembered. */
  ofChange(change: HintChange): Rumour<S>[] {
    this.#forgetOld();
    return [...this.#rumours.values()].filter((rumour) => rumour.change === change);
  }

  /** The rumours that are passed on now. */
  current(): Rumour<S>[] {
    const nowMs = this.#forgetOld();
    return [...this.#rumours.values()].filter(({ seenMs }) => nowMs - seenMs < hintLifetimeMs);
  }

  /** Whether there is anything to pass on. */
  hasNews(): boolean {
    return this.current().length > 0;
  }

  /** Whether a peer may not have heard all of what is new. */
  hasNewsFor(peer: string): boolean {
    return this.current().some(({ knownTo }) => !knownTo.has(peer));
  }

  /** Forgets subjects that exist no more. */
  retain(exists: (subject: S) => boolean): void {
    for (const [key, { subject }] of this.#rumours) {
      if (!exists(subject)) this.#forget(key);
    }
  }

  stop(): void {
    this.#probes.stop();
  }

  #note(hint: H, from: string): Heard {
    const { kind, clock } = this.#options;
    if (!kind.isKnown(hint)) return 'ignored';
    const { change, ageMs } = hint;
    const nowMs = clock.nowMs();
    const witness = kind.witnessOf(hint, from);
    const known = this.#recent(hint, nowMs);
    if (known?.change === change) {
      if (witness !== undefined) note(known.witnesses, witness, maxWitnesses);
      note(known.knownTo, from, maxKnownTo);
      known.heardMs = nowMs;
      return 'known';
    }
    if (known && nowMs - ageMs <= known.seenMs) return 'ignored';
    if (ageMs >= hintLifetimeMs) return 'known';
    if (!this.#news.has(from, nowMs)) return 'refused';
    if (known && !this.#changes.take(kind.keyOf(hint), nowMs)) return 'refused';
    this.#news.take(from, nowMs);
    note(this.#put(hint, change, nowMs - ageMs, witness).knownTo, from, maxKnownTo);
    return 'news';
  }

  #recent(subject: S, nowMs: number): Rumour<S> | undefined {
    const { kind } = this.#options;
    const known = this.#rumours.get(kind.keyOf(subject));
    return known && nowMs - known.seenMs < kind.newsRestMs ? known : undefined;
  }

  /** Returns the time. */
  #forgetOld(): number {
    const { kind, clock } = this.#options;
    const nowMs = clock.nowMs();
    for (const [key, { heardMs }] of this.#rumours) {
      if (nowMs - heardMs >= kind.keptMs) this.#forget(key);
    }
    return nowMs;
  }

  #knowsAllOf(peer: string, { knownTo, witnessKnownTo, witnesses }: Rumour<S>): boolean {
    if (!knownTo.has(peer)) return false;
    return !witnesses.has(this.#options.localName) || witnessKnownTo.has(peer);
  }

  #put(subject: S, change: HintChange, bornMs: number, witness: string | undefined): Rumour<S> {
    const { kind, clock } = this.#options;
    const rumour: Rumour<S> = {
      subject,
      change,
      lane: kind.laneOf(subject),
      bornMs,
      seenMs: bornMs,
      heardMs: clock.nowMs(),
      timesSent: 0,
      witnesses: new Set(witness === undefined ? [] : [witness]),
      knownTo: new Set(),
      witnessKnownTo: new Set(),
    };
    const key = kind.keyOf(subject);
    this.#forget(key);
    this.#rumours.set(key, rumour);
    this.#lanes.add(rumour.lane);
    if (this.#rumours.size > kind.capacity) this.#forgetOldestOf(this.#lanes.fullest());
    return rumour;
  }

  #forgetOldestOf(lane: string): void {
    const { clock, localName } = this.#options;
    for (const [key, { lane: its, witnesses }] of this.#rumours) {
      if (its !== lane) continue;
      const isOwn = witnesses.size === 1 && witnesses.has(localName);
      if (!isOwn) this.#crowdedMs.set(lane, clock.nowMs());
      this.#forget(key);
      return;
    }
  }

  #forget(key: string): void {
    const rumour = this.#rumours.get(key);
    if (!rumour) return;
    this.#rumours.delete(key);
    this.#lanes.remove(rumour.lane);
  }
}

/** The first of each lane, then the second of each, and so on. */
function inTurns<R extends { readonly lane: string }>(rumours: readonly R[]): R[] {
  const turns = new LaneCounts();
  const withTurns = rumours.map((rumour) => {
    turns.add(rumour.lane);
    return { rumour, turn: turns.of(rumour.lane) };
  });
  return withTurns.sort((a, b) => a.turn - b.turn).map(({ rumour }) => rumour);
}

function note(names: Set<string>, name: string, most: number): void {
  if (names.size < most) names.add(name);
}
