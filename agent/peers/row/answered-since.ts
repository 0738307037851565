import { channels } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { RowPath } from '../../model/row.js';

/** A probe that is sent just before a node dies may fail, and one that is sent just after it be answered still. */
export const lateAnswerMs = 100;

interface FailingPath {
  /** Its place among the paths of the row. */
  readonly at: number;
  readonly sinceMs: number;
}

/**
 * Tells of each failing path which others of its node answered since. Who sees a path fail looks at the others of that node at
 * once, so that they work is known with the failure, and not from their next turn on.
 */
export class AnsweredSince {
  readonly #paths: RowPath[];
  #node: string | undefined;
  readonly #failing: FailingPath[] = [];
  /** By channel, when the newest answered probe of the node was sent. */
  readonly #answeredSentMs = channels.map(() => -Infinity);

  /** @param paths those of the row: of each that fails it is written there */
  constructor(paths: RowPath[]) {
    this.#paths = paths;
  }

  /** Takes a path. Those of a node come one after the other. One that fails is the last of the row by then. */
  add(node: string, channel: number, known: PathState): void {
    if (node !== this.#node) this.end();
    this.#node = node;
    const { state } = known;
    if (state === 'reachable') this.#answeredSentMs[channel] = known.answeredSentMs;
    if (state !== 'unreachable') return;
    const lateMs = known.failureKind === 'timeout' ? lateAnswerMs : 0;
    this.#failing.push({ at: this.#paths.length - 1, sinceMs: known.failedSentMs + lateMs });
  }

  /** Writes what is known of the last node. */
  end(): void {
    for (const { at, sinceMs } of this.#failing) {
      const path = this.#paths[at];
      let mask = 0;
      for (const [channel, sentMs] of this.#answeredSentMs.entries())
        if (sentMs >= sinceMs) mask |= 1 << channel;
      if (path && mask !== 0) this.#paths[at] = { ...path, answeredSince: mask };
    }
    this.#failing.length = 0;
    this.#answeredSentMs.fill(-Infinity);
  }
}
