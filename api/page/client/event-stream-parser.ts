/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** No event is this long. A longer line does not come from an agent. */
const maxBufferedCharacters = 4 * 1024 * 1024;

/**
 * Reads a `text/event-stream` piece by piece, as the HTML standard says (section 9.2.6). The browser's
 * own EventSource cannot send the header that carries the API token.
 */
export class EventStreamParser {
  #buffer = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /**
   * Returns the events that are complete with this piece.
   * @throws Error if a line is too long
   */
  push(piece: string): ServerSentEvent[] {
    this.#buffer += piece;
    const events: ServerSentEvent[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#buffer);
      if (!end) break;
      const line = this.#buffer.slice(0, end.index);
      this.#buffer = this.#buffer.slice(end.index + end[0].length);
      const event = this.#take(line);
      if (event) events.push(event);
    }
    if (this.#buffer.length > maxBufferedCharacters) {
      throw new Error(`event stream: expected a line, got ${this.#buffer.length} characters`);
    }
    return events;
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#dispatch();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const event = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? undefined : event;
  }
}
