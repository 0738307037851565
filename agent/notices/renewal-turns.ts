import { orderOf } from '../turns/quorum.js';
import type { TurnSituation } from '../turns/turn-situation.js';

/** An Alertmanager forgets what it is not told again, so some agents tell it once in this time. */
export const renewMs = 60_000;
/** So many do: some may have no way to it, and nobody knows of that. */
const mostRenewing = 3;

/** What decides whose turn it is. */
export interface RenewalSituation extends TurnSituation {
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** Agents whose own nodes are in trouble: their turns come last. */
  readonly away: ReadonlySet<string>;
}

/** Each minute other agents renew the alerts of an Alertmanager. Where none of them can, the next ones are in time. */
export class RenewalTurns {
  /** By receiver, the last minute in which it was looked at whose turn it is. */
  readonly #minutes = new Map<string, number>();

  /** Whether it is this agent's turn. It is asked once a minute: the other times it is nobody's. */
  isTurn(receiver: string, situation: RenewalSituation): boolean {
    const { wallMs, away, localName } = situation;
    const minute = Math.floor(wallMs / renewMs);
    if (this.#minutes.get(receiver) === minute) return false;
    this.#minutes.set(receiver, minute);
    const order = orderOf(`renew ${receiver} ${minute}`, situation, away);
    return order.slice(0, mostRenewing).includes(localName);
  }
}
