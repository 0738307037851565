interface Problem {
  readonly text: string;
  /** Monotonic milliseconds, so that a step of the system clock neither keeps it nor ends it. */
  readonly untilMs: number;
}

/** What the agent knows to be wrong with itself, one line for each cause. */
export class Problems {
  readonly #byCause = new Map<string, Problem>();

  /** Notes a problem until it is cleared; true where it was not there yet with these words. */
  set(cause: string, text: string): boolean {
    const isNew = this.#current(cause)?.text !== text;
    this.#byCause.set(cause, { text, untilMs: Infinity });
    return isNew;
  }

  /** Notes a problem that passes by itself unless it is noted again; true where it was not there. */
  setFor(cause: string, text: string, forMs: number): boolean {
    const isNew = this.#current(cause) === undefined;
    this.#byCause.set(cause, { text, untilMs: performance.now() + forMs });
    return isNew;
  }

  /** Forgets a problem; true where it was there. */
  clear(cause: string): boolean {
    return this.#byCause.delete(cause);
  }

  list(): string[] {
    return [...this.#byCause.keys()].flatMap((cause) => this.#current(cause)?.text ?? []);
  }

  #current(cause: string): Problem | undefined {
    const problem = this.#byCause.get(cause);
    return problem && problem.untilMs > performance.now() ? problem : undefined;
  }
}
