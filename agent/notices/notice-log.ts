import type { NoticeEntry } from '../../api/schema/v1/notices.js';

const mostEntries = 100;

/** What was sent lately, and what other agents told of theirs. */
export class NoticeLog {
  #entries: NoticeEntry[] = [];

  add(entry: NoticeEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > mostEntries) this.#entries.shift();
  }

  /** The newest first, at most 100. */
  newest(): NoticeEntry[] {
    return [...this.#entries].reverse();
  }
}
