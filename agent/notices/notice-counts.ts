import type { Receiver } from './definition/receiver.js';

interface Count {
  sent: number;
  failed: number;
}

/** How often this agent sent to each receiver since it knows it, and how often that failed. */
export class NoticeCounter {
  readonly #counts = new Map<string, Count>();

  /** Begins to count for new receivers, so that each is there with 0 at first, and forgets the others. */
  retain(receivers: readonly Receiver[]): void {
    const names = new Set(receivers.map(({ name }) => name));
    for (const name of this.#counts.keys()) if (!names.has(name)) this.#counts.delete(name);
    for (const name of names) {
      if (!this.#counts.has(name)) this.#counts.set(name, { sent: 0, failed: 0 });
    }
  }

  note(receiver: string, isTaken: boolean): void {
    const count = this.#counts.get(receiver);
    if (!count) return;
    count.sent++;
    if (!isTaken) count.failed++;
  }

  /** At most one for each receiver of the file. */
  all(): { readonly receiver: string; readonly sent: number; readonly failed: number }[] {
    return Array.from(this.#counts, ([receiver, count]) => ({ receiver, ...count }));
  }
}
