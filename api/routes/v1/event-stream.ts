import type { EventHistory, KeptEvent } from './source.js';

export interface EventStreamOptions {
  readonly events: EventHistory;
  readonly format: 'sse' | 'ndjson';
  /** Only events with a higher id. If undefined, only new events. */
  readonly after: number | undefined;
  /** If false, the stream ends after the events that are kept. */
  readonly follow: boolean;
  /** If false, lines are of events alone. A text/event-stream shows all the same that the agent is alive. */
  readonly keepAlive: boolean;
  /** Only events of these types; left out, of all. */
  readonly types?: readonly string[] | undefined;
  readonly timings?: Partial<EventStreamTimings>;
  /** Called once when the stream ends, for any reason. */
  readonly onEnd?: () => void;
  /** Called if the reader took nothing for too long. Without it the stream ends with an error. */
  readonly onStall?: () => void;
}

export interface EventStreamTimings {
  /**
   * After this much silence a comment, or an empty line, shows that the agent is alive. The page counts on
   * it: see live-agent.ts.
   */
  readonly keepAliveMs: number;
  /** A reader that takes nothing for this long is disconnected. */
  readonly stallMs: number;
  /** Events that come within this time are sent together. */
  readonly batchMs: number;
}

const defaultTimings: EventStreamTimings = { keepAliveMs: 2000, stallMs: 30_000, batchMs: 50 };

/** The most events in memory for one reader. */
const eventsPerChunk = 256;

const reconnectMs = 2000;

/**
 * Writes events as a stream of bytes. The reader takes them at its own speed, and the stream holds
 * at most one chunk. If the reader's next event is no longer kept, a `cut` event with the last id
 * ends the stream. A reader that takes nothing at all is disconnected without an event.
 */
export function createEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const stream = new EventStream(options);
  // With this mark, pull is called only when the reader wants more, so nothing is read ahead.
  return new ReadableStream<Uint8Array>(stream, { highWaterMark: 0 });
}

class EventStream {
  readonly #options: EventStreamOptions;
  readonly #timings: EventStreamTimings;
  readonly #encoder = new TextEncoder();
  #lastId: number;
  #hasStarted = false;
  #isOver = false;
  #wake: (() => void) | undefined;
  #batchTimer: NodeJS.Timeout | undefined;
  #stallTimer: NodeJS.Timeout | undefined;
  readonly #unsubscribe: () => void;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#timings = { ...defaultTimings, ...options.timings };
    this.#lastId = options.after ?? options.events.lastId;
    this.#unsubscribe = options.events.subscribe(() => this.#onEvent());
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#stallTimer);
    while (!this.#isOver) {
      const { text, isLast } = this.#next();
      if (text !== '') this.#send(controller, text);
      if (isLast) {
        this.#end();
        controller.close();
      }
      if (text !== '' || isLast) return;
      const hasNews = await this.#waitForEvents();
      if (!hasNews) {
        this.#send(controller, this.#keepAlive());
        return;
      }
    }
  }

  cancel(): void {
    this.#end();
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
    if (this.#isOver) return;
    controller.enqueue(this.#encoder.encode(text));
    this.#stallTimer = setTimeout(() => this.#cut(controller), this.#timings.stallMs);
  }

  /** The next text for the reader; empty if there is no event. */
  #next(): { readonly text: string; readonly isLast: boolean } {
    const { events, format, after, follow, types } = this.#options;
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    const isLast = !follow || events.hasEnded;
    let kept = events.after(this.#lastId, eventsPerChunk);
    const mayHaveGap = isFirst && after !== undefined;
    if (kept.hasGap && !mayHaveGap) {
      return { text: this.#format({ type: 'cut', lastId: this.#lastId }), isLast: true };
    }
    const { hasGap } = kept;
    let wanted: readonly KeptEvent[];
    for (;;) {
      this.#lastId = kept.events.at(-1)?.id ?? this.#lastId;
      wanted = types ? kept.events.filter(({ type }) => types.includes(type)) : kept.events;
      if (wanted.length > 0 || kept.events.length < eventsPerChunk) break;
      kept = events.after(this.#lastId, eventsPerChunk);
    }
    const text = [
      isFirst && format === 'sse' ? `retry: ${reconnectMs}\n\n` : '',
      hasGap ? this.#format({ type: 'gap' }) : '',
      ...wanted.map((event) => this.#line(event)),
    ].join('');
    return { text, isLast: isLast && this.#lastId >= events.lastId };
  }

  #line({ id, type, json }: KeptEvent): string {
    return this.#options.format === 'sse'
      ? `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`
      : `${json}\n`;
  }

  /**
   * Events about the stream itself have no id. The reader's last id then stays the id of a real
   * event.
   */
  #format(event: { readonly type: string; readonly lastId?: number }): string {
    const json = JSON.stringify(event);
    return this.#options.format === 'sse' ? `event: ${event.type}\ndata: ${json}\n\n` : `${json}\n`;
  }

  #keepAlive(): string {
    return this.#options.format === 'sse' ? ': keep-alive\n\n' : '\n';
  }

  /** Resolves to true if events came, and to false if it is time for a keep-alive. */
  #waitForEvents(): Promise<boolean> {
    const { format, keepAlive } = this.#options;
    const isAskedFor = keepAlive || format === 'sse';
    return new Promise((resolve) => {
      const remind = () => {
        this.#wake = undefined;
        resolve(false);
      };
      const timer = isAskedFor ? setTimeout(remind, this.#timings.keepAliveMs) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(true);
      };
    });
  }

  #onEvent(): void {
    if (this.#options.events.hasEnded) this.#wake?.();
    this.#batchTimer ??= setTimeout(() => {
      this.#batchTimer = undefined;
      this.#wake?.();
    }, this.#timings.batchMs);
  }

  #cut(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#options.onStall) this.#options.onStall();
    else controller.error(new Error(`the reader took nothing for ${this.#timings.stallMs} ms`));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#batchTimer);
    clearTimeout(this.#stallTimer);
    this.#unsubscribe();
    this.#wake?.();
    this.#options.onEnd?.();
  }
}
