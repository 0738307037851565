import { orderOf, stepMs } from '../turns/quorum.js';
import type { TurnSituation } from '../turns/turn-situation.js';
import type { Ledger } from './ledger.js';
import { deadlineMs } from './sending/post.js';

/** So many agents take turns with one message. */
const mostTurns = 10;
/** Who began to send and has not said how it went within this time is gone. */
const claimMs = deadlineMs + 5000;
/** Peers that may have sent it are asked so long before the own turn, and have so long to answer. */
const askAheadMs = 2500;
const answerMs = 2000;
/** So many are asked. */
const mostAsked = 3;

const [firstBackoffMs, longestBackoffMs] = [5000, 300_000];

/** How long a receiver that did not take a message is left alone: 5, 10, 20 ... 300 seconds. */
export function backoffMs(failures: number): number {
  return Math.min(firstBackoffMs * 2 ** Math.min(failures - 1, 10), longestBackoffMs);
}

export interface TurnInput {
  readonly situation: TurnSituation;
  readonly ledger: Ledger;
  readonly receiver: string;
  /** Since when something is due, and since when this agent's view is one to tell of. */
  readonly dueMs: number;
  readonly ableMs: number;
  /** Agents whose own nodes are in trouble. They come last. */
  readonly away: ReadonlySet<string>;
}

/**
 * Whether it is this agent's turn to tell a receiver something. The agent with the lowest hash is first, and the next one
 * has its turn ten seconds later. After a try that failed the next one in that order begins, once the receiver was left
 * alone for long enough, so that one node without a way to the receiver holds up nothing. Who is not first asks those
 * before it whether they have done it.
 */
export class Turns {
  readonly #askForRowOf: (peer: string) => void;
  readonly #asked = new Map<string, { readonly startMs: number; readonly askedMs: number }>();

  constructor(askForRowOf: (peer: string) => void) {
    this.#askForRowOf = askForRowOf;
  }

  isTurn({ situation, ledger, receiver, dueMs, ableMs, away }: TurnInput): boolean {
    const { nowMs, localName } = situation;
    const { failures, isUnderWay, atMs } = ledger.attempt(receiver);
    if (isUnderWay && nowMs < atMs + claimMs) return false;
    const order = orderOf(`notices ${receiver}`, situation, away);
    const place = order.indexOf(localName);
    const turn = (((place - failures) % order.length) + order.length) % order.length;
    if (turn >= mostTurns) return false;
    const isFirstTry = turn === 0 && failures === 0 && !isUnderWay;
    // What was told just now may be one of several messages: who tells them goes on with the next one.
    const waitMs = isUnderWay ? claimMs : failures > 0 ? backoffMs(failures) : 0;
    const fromMs = isFirstTry ? -Infinity : atMs + waitMs;
    const startMs = Math.max(dueMs, ableMs, fromMs);
    const turnMs = startMs + turn * stepMs;
    if (isFirstTry) return nowMs >= turnMs;
    if (nowMs < turnMs - askAheadMs) return false;
    const asked = this.#asked.get(receiver);
    if (asked?.startMs !== startMs) {
      this.#asked.set(receiver, { startMs, askedMs: nowMs });
      for (let back = 1; back <= Math.min(mostAsked, order.length - 1); back++) {
        const peer = order[(place - back + order.length) % order.length];
        if (peer !== undefined) this.#askForRowOf(peer);
      }
      return false;
    }
    return nowMs >= Math.max(turnMs, asked.askedMs + answerMs);
  }
}
