import { randomFillSync, randomInt } from 'node:crypto';

export const cookieBytes = 8;

/** Counters of one engine's echoes since it was opened. */
export interface EchoCounts {
  sent: number;
  answered: number;
  /** Answers to a probe that had already timed out. */
  late: number;
  /** Further answers to a probe that had been answered. */
  duplicate: number;
  /** Answers with this engine's identifier that belong to no probe of it. */
  foreign: number;
  /** Packets that this host dropped before they were read. */
  dropped: number;
}

export function sumOfCounts(all: readonly EchoCounts[]): EchoCounts {
  const sum = noCounts();
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof EchoCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

function noCounts(): EchoCounts {
  return { sent: 0, answered: 0, late: 0, duplicate: 0, foreign: 0, dropped: 0 };
}

const unused = 0;
const open = 1;
const answered = 2;
const givenUp = 3;
const sequences = 0x10000;
const randomPoolBytes = 4096;

/**
 * Gives out sequence numbers, each with a random cookie, and remembers both until the number is
 * used again. So an answer that no probe waits for can be counted as late, double or foreign.
 */
export class EchoTracker {
  readonly counts: EchoCounts = noCounts();
  readonly #cookies = Buffer.alloc(sequences * cookieBytes);
  readonly #states = new Uint8Array(sequences);
  readonly #pool = Buffer.alloc(randomPoolBytes);
  #poolAt = randomPoolBytes;
  #last = randomInt(sequences);
  #open = 0;

  /** A sequence number that no open probe has; undefined where half of them are open. */
  next(): number | undefined {
    if (this.#open >= sequences / 2) return undefined;
    do this.#last = (this.#last + 1) % sequences;
    while (this.#states[this.#last] === open);
    this.#drawCookie(this.#last);
    return this.#last;
  }

  /** Writes the cookie of a sequence number into a packet. */
  writeCookie(sequence: number, packet: Buffer, at: number): void {
    this.#cookies.copy(packet, at, sequence * cookieBytes, (sequence + 1) * cookieBytes);
  }

  send(sequence: number): void {
    this.counts.sent++;
    this.#open++;
    this.#states[sequence] = open;
  }

  /** Ends an open probe, answered or not. */
  settle(sequence: number, wasAnswered: boolean): void {
    if (this.#states[sequence] !== open) return;
    this.#open--;
    this.#states[sequence] = wasAnswered ? answered : givenUp;
    if (wasAnswered) this.counts.answered++;
  }

  carries(sequence: number, payload: Buffer): boolean {
    const at = sequence * cookieBytes;
    if (payload.length !== cookieBytes) return false;
    return this.#cookies.compare(payload, 0, cookieBytes, at, at + cookieBytes) === 0;
  }

  /** Counts an answer with this engine's identifier that belongs to no open probe. */
  countUnexpected(sequence: number, payload: Buffer): void {
    const state = this.#states[sequence] ?? unused;
    if (state === unused || state === open || !this.carries(sequence, payload))
      this.counts.foreign++;
    else if (state === answered) this.counts.duplicate++;
    else this.counts.late++;
  }

  #drawCookie(sequence: number): void {
    if (this.#poolAt + cookieBytes > randomPoolBytes) {
      randomFillSync(this.#pool);
      this.#poolAt = 0;
    }
    const at = this.#poolAt;
    this.#pool.copy(this.#cookies, sequence * cookieBytes, at, at + cookieBytes);
    this.#poolAt += cookieBytes;
  }
}
