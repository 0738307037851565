/** How many entries of a bounded store each lane has, so that the fullest one makes room for the others. */
export class LaneCounts {
  readonly #counts = new Map<string, number>();

  of(lane: string): number {
    return this.#counts.get(lane) ?? 0;
  }

  add(lane: string): void {
    this.#counts.set(lane, this.of(lane) + 1);
  }

  remove(lane: string): void {
    const count = this.of(lane) - 1;
    if (count > 0) this.#counts.set(lane, count);
    else this.#counts.delete(lane);
  }

  /** The lane with the most entries; of equal ones that which has had entries for longest. */
  fullest(): string {
    let fullest = '';
    for (const [lane, count] of this.#counts) if (count > this.of(fullest)) fullest = lane;
    return fullest;
  }
}
