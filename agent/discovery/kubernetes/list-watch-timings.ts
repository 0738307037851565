import { setTimeout as sleep } from 'node:timers/promises';
import type { BackoffOptions } from './backoff.js';
import { defaultDelays, type LookupDelays } from './row-lookups.js';

/** All delays of a list and watch, in milliseconds unless the name says otherwise. */
export interface ListWatchTimings {
  readonly pageSize: number;
  /** The longest an answer to a list may take: all of it, or a page. */
  readonly listMs: number;
  /** The longest until the headers of an answer. */
  readonly headersMs: number;
  /** The longest without a byte of the answer. */
  readonly silenceMs: number;
  /** How long the server is asked to keep a watch open. */
  readonly watchSeconds: () => number;
  /** How much longer than that the client stays. */
  readonly overtimeMs: number;
  /** A watch that ends sooner has failed, however cleanly it ended. */
  readonly shortLivedMs: number;
  /** After so long everything is listed again, whatever the watches said. */
  readonly relistMs: number;
  /** The same where a list is the most of what an agent is sent: changes come as rows, or are rare. */
  readonly relistRarelyMs: number;
  /** After so many answers of "too large resource version" we start from nothing. */
  readonly tooNewLimit: number;
  readonly backoff: BackoffOptions;
  readonly spread: SpreadOptions;
  readonly lookups: LookupDelays;
  /** So many look-ups in one watch, and more than half of its rows, are too many: whole objects cost less then. */
  readonly manyLookUps: number;
  /** For so long objects come whole after that. */
  readonly wholeMs: number;
  /** Waits so many milliseconds; ends early, without an error, where the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * How lists are spread when many agents start at once, or when a server that is back no longer knows the versions
 * of any of them. A small request shows how busy the server is; the delay is random, up to a multiple of that
 * request's duration. A lone agent waits for milliseconds; many agents at a busy server spread over `maxMs`, and over
 * five minutes where 5,000 agents list as many nodes anew.
 */
export interface SpreadOptions {
  /** 0: a list is asked for at once. */
  readonly factor: number;
  readonly maxMs: number;
  /** An agent that has a list can wait: up to so long for each of its objects, where that is more than `maxMs`. */
  readonly perKnownMs: number;
  readonly random: () => number;
}

/** Lists are asked for at once. */
export const noSpread: SpreadOptions = { factor: 0, maxMs: 0, perKnownMs: 0, random: () => 0 };

/** The values of the official Go client, if it has them. */
export const defaultTimings: ListWatchTimings = {
  pageSize: 500,
  listMs: 120_000,
  headersMs: 30_000,
  silenceMs: 180_000,
  watchSeconds: () => Math.round(300 + Math.random() * 300),
  overtimeMs: 30_000,
  shortLivedMs: 5000,
  relistMs: (30 + Math.random() * 30) * 60_000,
  relistRarelyMs: (6 + Math.random() * 6) * 3_600_000,
  tooNewLimit: 3,
  // A server that is back is noticed within 30 s. These are the longest delay with its jitter (19 s),
  // a connection that began before it was back (5 s), and a quiet watch until it counts (5 s).
  backoff: { firstMs: 800, maxMs: 9500, healthyMs: 120_000 },
  lookups: defaultDelays,
  manyLookUps: 100,
  wholeMs: 3_600_000,
  spread: { factor: 20, maxMs: 30_000, perKnownMs: 60, random: Math.random },
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};
