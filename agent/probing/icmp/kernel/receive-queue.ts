/** What a socket's receive queue holds and has dropped so far (SO_MEMINFO). */
export interface QueueState {
  readonly bytes: number;
  readonly maxBytes: number;
  /** Grows with each packet that was dropped, for whatever reason: a wrong checksum counts too. */
  readonly drops: number;
}

/** The kernel drops what comes when the queue has no room for one more packet. */
const fullShare = 7 / 8;

/**
 * Counts the packets that were dropped because the queue was full, and hands out each of them once as an
 * excuse for an answer that did not come. Only this process reads the queue: one that was full is full still
 * when it is looked at before it is read, and one that is not full has dropped nothing for want of room.
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

  /** To be called before the queue is read. */
  beforeReading(): void {
    const { bytes, maxBytes, drops } = this.#read();
    this.#isFull = bytes >= maxBytes * fullShare;
    this.#count(drops);
  }

  /** To be called when the queue has been read. */
  afterReading(): void {
    // Until there was room again, more may have been dropped.
    if (this.#isFull) this.#count(this.#read().drops);
  }

  /**
   * Whether the answer to a probe may have been among what was dropped, given what `dropped` was when the
   * probe was sent. As many probes are excused as packets were dropped since, and no more.
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
