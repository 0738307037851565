import { byteToRttNs, rttToByte } from '../../api/schema/v1/matrix-bytes.js';

/** Counts round trips by their bytes, so that a quantile of thousands takes no sort. */
export class RttCounts {
  readonly #counts = new Uint32Array(256);
  count = 0;

  add(rttNs: number): void {
    const byte = rttToByte(rttNs);
    this.#counts[byte] = (this.#counts[byte] ?? 0) + 1;
    this.count++;
  }

  /** The smallest round trip that such a share of all does not exceed, in nanoseconds; 0 if there is none. */
  quantileNs(share: number): number {
    let left = Math.max(Math.ceil(share * this.count), 1);
    for (let byte = 0; byte < this.#counts.length; byte++) {
      const count = this.#counts[byte] ?? 0;
      left -= count;
      if (count > 0 && left <= 0) return byteToRttNs(byte) ?? 0;
    }
    return 0;
  }
}
