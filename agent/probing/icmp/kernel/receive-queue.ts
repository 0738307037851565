/** The fill and the drop counter of a socket's receive queue (SO_MEMINFO). */
export interface QueueState {
  readonly bytes: number;
  readonly maxBytes: number;
  /** Grows with each packet that was dropped, for whatever reason: a wrong checksum counts too. */
  readonly drops: number;
}

/** The kernel drops what comes when the queue has no room for one more packet. */
const fullShare = 7 / 8;

/**
 * Counts the packets that were dropped because the queue was full. Each of them excuses one missing
 * answer, once. Only this process reads the queue: if it was full, it is still full before the
 * read; if it is not full, it dropped nothing for lack of room.
 */
export class ReceiveQueue {
  readonly #read: () => QueueState;
  #drops: number;
  #isFull = false;
  #dropped = 0;
  #excused = 0;

  constructor(read: () => QueueState) {
    this.#read = read;
    this.#drops = read().drops;
  }

  /** How many packets were dropped because the queue was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Call this before the queue is read. */
  beforeReading(): void {
    const { bytes, maxBytes, drops } = this.#read();
    this.#isFull = bytes >= maxBytes * fullShare;
    this.#count(drops);
  }

  /** Call this after the queue was read. */
  afterReading(): void {
    // Until there was room again, more may have been dropped.
    if (this.#isFull) this.#count(this.#read().drops);
  }

  /**
   * Whether the answer to a probe may have been dropped, given what `dropped` was when the probe
   * was sent. At most as many probes are excused as packets were dropped since then.
   */
  excuse(droppedBefore: number): boolean {
    const next = Math.max(this.#excused, droppedBefore) + 1;
    if (next > this.#dropped) return false;
    this.#excused = next;
    return true;
  }

  #count(drops: number): void {
    // The kernel's counter has 32 bits and starts again at 0.
    const more = (drops - this.#drops) >>> 0;
    this.#drops = drops;
    if (this.#isFull) this.#dropped += more;
  }
}
