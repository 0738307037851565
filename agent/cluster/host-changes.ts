import { changeSentForMs, type RowChange } from '../model/row-host.js';
import type { Change } from '../reports/event-log.js';
import { seenChangeEvent } from './change-events.js';

/** Ages are rounded, and clocks are read at different moments. */
const jitterMs = 3000;
/** What changed on the own host in this time before the agent started is news, as its own start is. */
const beforeStartMs = 300_000;

interface Known {
  readonly key: string;
  readonly foundMs: number;
}

export interface HostChangesOptions {
  readonly localName: string;
  /** When this agent started, in monotonic milliseconds. */
  readonly startedMs: number;
}

/**
 * Says which of the changes that hosts tell are new. A host repeats the last few for an hour, so what was found on others before this
 * agent started is no news: after a rollout that would be one event and more for each node.
 */
export class HostChanges {
  readonly #options: HostChangesOptions;
  readonly #known = new Map<string, readonly Known[]>();

  constructor(options: HostChangesOptions) {
    this.#options = options;
  }

  /**
   * Takes the changes that a host tells now, the newest first. Returns the events of the new ones, the oldest first.
   * @param bodyAgeMs how long ago they were told
   * @param wallOffsetMs what is added to monotonic milliseconds for epoch milliseconds
   */
  take(
    node: string,
    changes: readonly RowChange[],
    {
      bodyAgeMs,
      nowMs,
      wallOffsetMs,
    }: Readonly<Record<'bodyAgeMs' | 'nowMs' | 'wallOffsetMs', number>>,
  ): Change[] {
    const before = this.#known.get(node) ?? [];
    if (changes.length === 0 && before.length === 0) return [];
    const { localName, startedMs } = this.#options;
    const newsFromMs = node === localName ? startedMs - beforeStartMs : startedMs;
    const shown = changes.map((change) => ({
      change,
      key: JSON.stringify([change.change, change.about, change.from, change.to]),
      foundMs: nowMs - bodyAgeMs - 1000 * change.ageSeconds,
    }));
    const isKnown = ({ key, foundMs }: Known): boolean =>
      before.some((one) => one.key === key && foundMs <= one.foundMs + jitterMs);
    this.#known.set(
      node,
      shown.map(({ key, foundMs }) => ({ key, foundMs })),
    );
    return shown
      .filter((one) => one.foundMs >= newsFromMs && !isKnown(one))
      .reverse()
      .map(({ change, foundMs }) =>
        seenChangeEvent(node, { ...change, foundMs }, nowMs + wallOffsetMs, wallOffsetMs),
      );
  }

  /** Forgets the nodes that are listed no more, once their hosts would not tell the same again: they may come back. */
  retain(isListed: (node: string) => boolean, nowMs: number): void {
    for (const [node, known] of this.#known)
      if (!isListed(node) && known.every(({ foundMs }) => nowMs - foundMs > changeSentForMs))
        this.#known.delete(node);
  }
}
