/** What has gone is remembered for so long. */
const rememberedMs = 3_600_000;

/** When things were seen to come and to go, in epoch milliseconds: nodes that findings name, or findings. */
export class Appearances {
  readonly #cameAt = new Map<string, number>();
  readonly #wentAt = new Map<string, number>();

  /** Takes all that are there now. */
  note(present: ReadonlySet<string>, nowAt: number): void {
    for (const key of this.#cameAt.keys()) {
      if (present.has(key)) continue;
      this.#cameAt.delete(key);
      this.#wentAt.set(key, nowAt);
    }
    for (const key of present) if (!this.#cameAt.has(key)) this.#cameAt.set(key, nowAt);
    for (const [key, wentAt] of this.#wentAt) {
      if (nowAt - wentAt > rememberedMs) this.#wentAt.delete(key);
    }
  }

  /** When this agent saw it come; undefined where it is not there. */
  cameAt(key: string): number | undefined {
    return this.#cameAt.get(key);
  }

  /** Whether it was gone at some time after that one. */
  wasGoneSince(key: string, atMs: number): boolean {
    return (this.#wentAt.get(key) ?? -Infinity) > atMs;
  }
}
