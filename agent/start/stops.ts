type Stop = () => void | Promise<void>;

/** How to stop what was started. It is stopped in the reverse order of its start. */
export class Stops {
  readonly #stops: Stop[] = [];

  /** Notes how to stop the part that was started last. */
  add(stop: Stop): void {
    this.#stops.push(stop);
  }

  /** Stops all parts, the last one first, each once. */
  async run(): Promise<void> {
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) await stop();
  }
}
