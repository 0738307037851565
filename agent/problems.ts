/** What the agent knows to be wrong with itself, one line for each cause. */
export class Problems {
  readonly #byCause = new Map<string, string>();

  /** Notes a problem; true where it was not there yet with these words. */
  set(cause: string, text: string): boolean {
    if (this.#byCause.get(cause) === text) return false;
    this.#byCause.set(cause, text);
    return true;
  }

  /** Forgets a problem; true where it was there. */
  clear(cause: string): boolean {
    return this.#byCause.delete(cause);
  }

  list(): string[] {
    return [...this.#byCause.values()];
  }
}
