/** Who has the turn. */
interface Turn {
  /** The test that a second session may be of; undefined where it is shared with none. */
  readonly test: string | undefined;
  sessions: number;
  isShared: boolean;
}

/** Lets one throughput test run at a time, whoever asked for it: two would measure each other. */
export class OneAtATime {
  #turn: Turn | undefined;

  get isTaken(): boolean {
    return this.#turn !== undefined;
  }

  /**
   * Takes the turn for a session. Returns how to end it, which may be called more than once; undefined while another test
   * runs. An agent that also answers at the endpoint of its node is asked for two sessions of one test, so one more
   * session of the same test shares the turn. It does so once in a turn: nobody keeps it by one session after the other.
   * @param test what no one but the asker of the test can name; without it the turn is not shared
   */
  take(test?: string): (() => void) | undefined {
    const turn = this.#turn ?? { test, sessions: 0, isShared: false };
    if (turn === this.#turn) {
      if (test === undefined || turn.test !== test || turn.isShared) return undefined;
      turn.isShared = true;
    }
    this.#turn = turn;
    turn.sessions++;
    let isMine = true;
    return () => {
      if (!isMine) return;
      isMine = false;
      if (--turn.sessions === 0) this.#turn = undefined;
    };
  }
}
