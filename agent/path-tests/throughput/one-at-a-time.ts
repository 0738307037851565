/** Lets one throughput test run at a time, whoever asked for it: two would measure each other. */
export class OneAtATime {
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Returns how to end it, which may be called more than once; undefined while another one runs. */
  take(): (() => void) | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    let isMine = true;
    return () => {
      if (isMine) this.#isTaken = false;
      isMine = false;
    };
  }
}
