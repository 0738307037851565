/** An agent sends eight datagrams to an address in ten seconds. Many may share a translated one. */
export const answersPerSource = 64;
export const answersPerSecond = 2000;

/** How many datagrams are looked at in a second, of each source and of all. */
export class EchoLimits {
  readonly #bySource = new Map<string, number>();
  #all = 0;
  #endsMs = 0;

  /** Whether one more of this source is looked at now. */
  admit(source: string, nowMs: number): boolean {
    if (nowMs >= this.#endsMs) {
      this.#bySource.clear();
      this.#all = 0;
      this.#endsMs = nowMs + 1000;
    }
    const count = this.#bySource.get(source) ?? 0;
    if (count >= answersPerSource || this.#all >= answersPerSecond) return false;
    this.#bySource.set(source, count + 1);
    this.#all++;
    return true;
  }
}
