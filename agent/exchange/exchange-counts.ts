import type { HintUse } from './hints/hinted-probes.js';
import type { Refusal } from './messages/message.js';

/** What was exchanged since the agent started. */
export interface ExchangeCounts {
  /** Hints sent, including repeated ones. */
  readonly hintsSent: number;
  /**
   * Hints received, by what became of them: they led to a probe, told nothing new, or were not
   * followed.
   */
  readonly hintsReceived: number;
  readonly hintUse: Readonly<Record<HintUse, number>>;
  /** Requests and answers that were accepted. */
  readonly messagesReceived: number;
  readonly rowsReceived: number;
  /** Requests and answers that were ignored whole, and why. */
  readonly messagesRefused: Readonly<Record<Refusal, number>>;
}

/** Counts what is exchanged. */
export class ExchangeCounter {
  hintsSent = 0;
  hintsReceived = 0;
  messagesReceived = 0;
  rowsReceived = 0;
  readonly hintUse: Record<HintUse, number> = { probed: 0, known: 0, refused: 0 };
  readonly messagesRefused: Record<Refusal, number> = {
    malformed: 0,
    unauthenticated: 0,
    source: 0,
  };

  counts(): ExchangeCounts {
    const { hintsSent, hintsReceived, messagesReceived, rowsReceived } = this;
    return {
      hintsSent,
      hintsReceived,
      messagesReceived,
      rowsReceived,
      hintUse: { ...this.hintUse },
      messagesRefused: { ...this.messagesRefused },
    };
  }
}
