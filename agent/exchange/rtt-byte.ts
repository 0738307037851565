/** Steps for each doubling: one byte goes from 1 microsecond to 3.6 seconds with an error of at most 4.5 %. */
const stepsPerDoubling = 8;

/** The byte of a round trip in nanoseconds, 1 to 255, as `/v1/matrix` has it; 0 for none. */
export function rttByte(rttNs: number | undefined): number {
  if (rttNs === undefined) return 0;
  const step = Math.round(stepsPerDoubling * Math.log2(Math.max(rttNs, 1) / 1000)) + 1;
  return Math.min(Math.max(step, 1), 255);
}

/** The round trip in nanoseconds that a byte from 1 to 255 stands for. */
export function rttOfByte(byte: number): number {
  return Math.round(1000 * 2 ** ((byte - 1) / stepsPerDoubling));
}

/** Counts round trips by their bytes, so that a quantile of thousands takes no sort. */
export class RttCounts {
  readonly #counts = new Uint32Array(256);
  count = 0;

  add(rttNs: number): void {
    const byte = rttByte(rttNs);
    this.#counts[byte] = (this.#counts[byte] ?? 0) + 1;
    this.count++;
  }

  /** The smallest round trip that such a share of all does not exceed, in nanoseconds; 0 where there is none. */
  quantileNs(share: number): number {
    let left = Math.max(Math.ceil(share * this.count), 1);
    for (const [byte, count] of this.#counts.entries()) {
      left -= count;
      if (count > 0 && left <= 0) return rttOfByte(byte);
    }
    return 0;
  }
}
