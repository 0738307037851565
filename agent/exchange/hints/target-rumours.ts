import type { HintChange } from './hint.js';
import type { Activity } from './hinted-probes.js';
import { Rumours, type RumoursOptions } from './rumours.js';
import {
  encodeTargetHints,
  maxTargetHintBytes,
  maxTargetHintsPerMessage,
  targetHintKey,
  targetPlaneKey,
  type TargetHint,
  type TargetSubject,
} from './target-hint.js';
import { TokenBuckets } from '../../platform/token-buckets.js';

/** The part of the probing of targets that hints use. */
export interface TargetProbing {
  /** Whether this agent has a target of that name and definition. What is said of others goes no further. */
  isKnown(subject: TargetSubject): boolean;
  /** Undefined where this process does not probe it. */
  activity(subject: TargetSubject): Activity | undefined;
  /** Probes it once. The result is treated like any other. */
  probeSoon(subject: TargetSubject): void;
  /** The probes of all agents at one hint are spread over this time. */
  spreadMs(subject: TargetSubject, change: HintChange): number;
}

/** A target that some node saw fail: who has probed it since then says so. */
export interface SuspectedTarget extends TargetSubject {
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
}

export interface TargetRumoursOptions extends Omit<
  RumoursOptions<TargetSubject, TargetHint>,
  'kind'
> {
  readonly probing: TargetProbing;
  /** How many nodes hear the same hint. */
  readonly nodes: () => number;
  readonly isListed: (node: string) => boolean;
  /** Sends the next GET to a witness now: its row comes with the answer. */
  readonly askWitness: (node: string) => void;
  /** Asks some more peers for their rows, no more than so many: they may reach it. */
  readonly askForRows: (most: number) => void;
}

/** So long a change is no news to those who have heard of it. Later it is spread again. */
const newsRestMs = 30_000;

/** So many witnesses are asked for their rows: as many reports open a finding (target-seen.ts). */
const askedWitnesses = 10;

/** The same for all targets together, whatever is said: three faults at once, and then one ask a second. */
const asks = { most: 3 * askedWitnesses, perSecond: 1 } as const;

/** News makes an agent ask for so many of the oldest rows, but no more often than this. */
const askedForNews = 12;
const rowsRestMs = 5000;

/** All agents hear the same hint: so many of them a second ask, and each asks a random witness. */
const asksPerSecond = 1000;

/** Where all agents probe within this time, those that did right after the change and do not see it probe again. */
const atOnceMs = 1000;
/** Rows tell ages in tenths of seconds: that it is well counts if it was seen two of them after the change. */
const probeAgainMs = 300;

/**
 * Rumours of targets. Beside the probes of a share of the agents they bring the rows of witnesses, because these, not the
 * hints, are what counts.
 */
export class TargetRumours {
  readonly #options: TargetRumoursOptions;
  readonly rumours: Rumours<TargetSubject, TargetHint>;
  /** By rumour, the witnesses whose rows were asked for. */
  readonly #asked = new WeakMap<object, Set<string>>();
  readonly #asks = new TokenBuckets(asks);
  #rowsAskedMs = -Infinity;
  readonly #timers = new Set<() => void>();

  constructor(options: TargetRumoursOptions) {
    this.#options = options;
    const { localName, random, probing, isListed } = options;
    this.rumours = new Rumours({
      ...options,
      kind: {
        keyOf: targetHintKey,
        laneOf: () => '',
        isKnown: (hint) =>
          hint.witness !== localName && isListed(hint.witness) && probing.isKnown(hint),
        witnessOf: ({ witness }) => witness,
        hintOf: (subject, telling, witnesses) => ({
          ...subject,
          ...telling,
          witness: [...witnesses][Math.floor(random() * witnesses.size)] ?? '',
        }),
        encode: (hint) => encodeTargetHints([hint], maxTargetHintBytes),
        perMessage: { hints: maxTargetHintsPerMessage, bytes: maxTargetHintBytes },
        // Sixteen targets from two planes, each with eight DNS servers at the most: there are no more subjects.
        capacity: 288,
        newsRestMs,
        // A target is suspected for so long after the last hint that it fails.
        keptMs: 120_000,
        isRenewed: false,
        isSentAgain: true,
        newsOfSender: { most: 64, perSecond: 1 },
        changesOfSubject: { most: 2, perSecond: 1 / 60 },
        // A probe asks all servers, so what is said of one of them gives no further probe.
        probeKeyOf: targetPlaneKey,
        activity: (subject) => probing.activity(subject),
        probe: (subject) => probing.probeSoon(subject),
        spreadMs: (subject, change) => probing.spreadMs(subject, change),
        leastGapMs: 4000,
        latestMs: 5000,
        // A server counts as failing since the probe before its verdict: that is long enough ago.
        againMs: ({ server }, spreadMs) =>
          spreadMs > atOnceMs || server !== undefined ? undefined : probeAgainMs,
      },
    });
  }

  /** Takes the hints of a peer. Returns whether any of them is news. */
  hear(hints: readonly TargetHint[], from: string): boolean {
    const { clock, askForRows } = this.#options;
    const nowMs = clock.nowMs();
    let hasNews = false;
    for (const hint of hints) {
      hasNews = this.rumours.hear(hint, from) || hasNews;
      this.#askLater(hint);
    }
    if (hasNews && nowMs - this.#rowsAskedMs >= rowsRestMs) {
      this.#rowsAskedMs = nowMs;
      askForRows(askedForNews);
    }
    return hasNews;
  }

  /** Whether another node lately saw the same change of a target, from any plane. */
  isSeenByOthers({ target, digest, server }: TargetSubject, change: HintChange): boolean {
    const nowMs = this.#options.clock.nowMs();
    return this.rumours.ofChange(change).some((rumour) => {
      const { subject, bornMs } = rumour;
      const isSame =
        subject.target === target && subject.digest === digest && subject.server === server;
      return isSame && nowMs - bornMs < newsRestMs && this.rumours.witnesses(rumour) > 0;
    });
  }

  /** The targets that some node saw fail lately. */
  suspected(): SuspectedTarget[] {
    const failing = this.rumours.ofChange('failure');
    return failing.map(({ subject, bornMs }) => ({ ...subject, sinceMs: bornMs }));
  }

  stop(): void {
    this.rumours.stop();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** Asks a witness for its row, at a random time. */
  #askLater(hint: TargetHint): void {
    const { clock, random, nodes, askWitness } = this.#options;
    const rumour = this.rumours.find(hint, hint.change);
    if (!rumour?.witnesses.has(hint.witness)) return;
    const asked = this.#asked.get(rumour) ?? new Set<string>();
    if (asked.size >= askedWitnesses || asked.has(hint.witness)) return;
    if (!this.#asks.take('', clock.nowMs())) return;
    this.#asked.set(rumour, asked.add(hint.witness));
    const cancel = clock.after((random() * nodes() * 1000) / asksPerSecond, () => {
      this.#timers.delete(cancel);
      askWitness(hint.witness);
    });
    this.#timers.add(cancel);
  }
}
