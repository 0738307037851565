/** How much all agents together write in a minute. */
export const clusterWrites = 10;
/**
 * How many nodes get their first condition in a minute, beside that: 1,000 new nodes take some ten minutes. Their
 * kubelets write their status more often than that.
 */
export const newNodeWrites = 120;
/**
 * How many conditions are cleared in a minute, beside that. After an outage of many nodes those that are well again are
 * not to wait: what repairs nodes by their condition would take them for broken.
 */
export const clearWrites = 120;
const windowMs = 60_000;

/**
 * The writes of the last minute, whoever made them. No agent asks another: it counts the changes
 * that its own watch shows, its own writes, and the Events of findings that all agents see open.
 */
export class WriteBudget {
  readonly #most: number;
  #atMs: number[] = [];

  /** @param most writes in a minute */
  constructor(most = clusterWrites) {
    this.#most = most;
  }

  note(nowMs: number): void {
    this.#atMs.push(nowMs);
  }

  /** How many more writes the cluster may make now. */
  left(nowMs: number): number {
    this.#atMs = this.#atMs.filter((atMs) => nowMs - atMs < windowMs);
    return Math.max(this.#most - this.#atMs.length, 0);
  }
}
