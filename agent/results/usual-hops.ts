/** A change is believed after so many equal replies in a row: equal paths of other lengths take turns. */
const believedAfter = 3;
/** What systems begin to count down from; no path has as many hops as lie between two of them. */
const initialTtls = [64, 128, 255] as const;
/** The usual hops, those of the last replies if they differ, and how many of these came in a row. */
const fields = 3;

/** A path whose packets come back by another number of hops than before. */
export interface HopsChange {
  readonly before: number;
  readonly after: number;
}

/**
 * The hops that a reply took on its way back, its sender among them, as a trace counts them. What the sender began
 * with is not told: it is taken for the next of 64, 128 and 255 (RFC 1700 and what systems do).
 * @param ttl the TTL or hop limit that was left, 1 to 255
 */
export function hopsOfTtl(ttl: number): number {
  const initial = initialTtls.find((one) => one >= ttl) ?? 255;
  return initial - ttl + 1;
}

/** How many hops the replies of each series usually take, in three bytes each. */
export class UsualHops {
  #bytes = new Uint8Array(1024 * fields);

  /** Takes the TTL of a reply. Returns the change if it is the last of enough in a row. */
  note(series: number, ttl: number): HopsChange | undefined {
    // A path has less than 256 hops: 255 - 1 + 1 at most.
    const hops = hopsOfTtl(ttl);
    const at = series * fields;
    this.#makeRoomFor(at + fields);
    const usual = this.#bytes[at] ?? 0;
    if (usual === 0 || usual === hops) {
      this.#bytes.set([hops, 0, 0], at);
      return undefined;
    }
    const times = this.#bytes[at + 1] === hops ? (this.#bytes[at + 2] ?? 0) + 1 : 1;
    if (times < believedAfter) {
      this.#bytes.set([usual, hops, times], at);
      return undefined;
    }
    this.#bytes.set([hops, 0, 0], at);
    return { before: usual, after: hops };
  }

  /** Undefined while no reply told it. */
  of(series: number): number | undefined {
    return this.#bytes[series * fields] || undefined;
  }

  clear(series: number): void {
    const at = series * fields;
    if (at < this.#bytes.length) this.#bytes.fill(0, at, at + fields);
  }

  #makeRoomFor(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
