/** Shares of lost probes, 0 to 1; undefined where none was sent in that time. */
export interface Loss {
  readonly loss1m: number | undefined;
  readonly loss10m: number | undefined;
  readonly loss1h: number | undefined;
}

/** Each window is a ring of buckets. It covers its length; the current bucket is partly full. */
const windows = [
  { buckets: 6, bucketMs: 10_000, first: 0 },
  { buckets: 10, bucketMs: 60_000, first: 6 },
  { buckets: 12, bucketMs: 300_000, first: 16 },
] as const;
const buckets = 28;
const tenMinutes = windows[1];
/** What became of a probe: a server answered, the host rejected it, or nothing came. */
export type ProbeOutcome = 'answered' | 'rejected' | 'lost';

const chunkSeries = 256;
const maxCount = 0xffff;

/** A path with fewer losses than this in ten minutes, or a smaller share, is not lossy. */
const lossyLosses = 2;
const lossyShare = 0.005;

interface Chunk {
  readonly sent: Uint16Array;
  readonly lost: Uint16Array;
  /** Lost in the ten-minute buckets since the series was last forgiven. */
  readonly isolated: Uint16Array;
  /** The number of each window's newest bucket. */
  readonly newest: Uint32Array;
  /** A probe sent before this time was lost by a dead path. */
  readonly outageEndMs: Float64Array;
}

/** Memory of one series. */
export const lossLogBytes = 2 * buckets * 2 + 2 * tenMinutes.buckets + 4 * windows.length + 8;

/** How many probes of many series were lost in the last minute, ten minutes and hour. */
export class LossLog {
  readonly #chunks: Chunk[] = [];

  /**
   * Counts a probe; the time is monotonic milliseconds.
   * @param outcome a probe that was rejected failed, but no packet was lost: it makes no path lossy
   */
  add(series: number, atMs: number, outcome: ProbeOutcome): void {
    const chunk = this.#chunk(series);
    const slot = series % chunkSeries;
    windows.forEach((window, index) => {
      const bucket = Math.floor(atMs / window.bucketMs);
      this.#moveTo(chunk, slot, index, bucket);
      // A failure that took longer than the window is older than all of it.
      const newest = chunk.newest[slot * windows.length + index] ?? 0;
      if (bucket <= newest - window.buckets) return;
      const at = slot * buckets + window.first + (bucket % window.buckets);
      chunk.sent[at] = Math.min((chunk.sent[at] ?? 0) + 1, maxCount);
      if (outcome === 'answered') return;
      chunk.lost[at] = Math.min((chunk.lost[at] ?? 0) + 1, maxCount);
      if (outcome === 'rejected' || window !== tenMinutes) return;
      if (atMs < (chunk.outageEndMs[slot] ?? 0)) return;
      const isolatedAt = slot * tenMinutes.buckets + (bucket % tenMinutes.buckets);
      chunk.isolated[isolatedAt] = Math.min((chunk.isolated[isolatedAt] ?? 0) + 1, maxCount);
    });
  }

  /**
   * Probes that were sent before then were lost by a dead path, even if that is learnt later. Such
   * losses alone do not make the path lossy once it is back.
   */
  excludeOutage(series: number, beforeMs: number): void {
    const slot = series % chunkSeries;
    const { isolated, outageEndMs: outageEndMs } = this.#chunk(series);
    isolated.fill(0, slot * tenMinutes.buckets, (slot + 1) * tenMinutes.buckets);
    outageEndMs[slot] = beforeMs;
  }

  /** Forgets a series, so that its number can be used again. */
  clear(series: number): void {
    const { sent, lost, newest } = this.#chunk(series);
    const slot = series % chunkSeries;
    sent.fill(0, slot * buckets, (slot + 1) * buckets);
    lost.fill(0, slot * buckets, (slot + 1) * buckets);
    newest.fill(0, slot * windows.length, (slot + 1) * windows.length);
    this.excludeOutage(series, 0);
  }

  loss(series: number, nowMs: number): Loss {
    const share = (index: number) => {
      const { sent, lost } = this.#sum(series, index, nowMs);
      return sent === 0 ? undefined : lost / sent;
    };
    return { loss1m: share(0), loss10m: share(1), loss1h: share(2) };
  }

  /** Whether it lost more than single probes in ten minutes without having been dead. */
  isLossy(series: number, nowMs: number): boolean {
    const { sent, isolated } = this.#sum(series, 1, nowMs);
    return isolated >= lossyLosses && isolated / sent >= lossyShare;
  }

  /** How many probes it lost in ten minutes without having been dead. */
  isolated(series: number, nowMs: number): number {
    return this.#sum(series, 1, nowMs).isolated;
  }

  #sum(series: number, index: number, nowMs: number) {
    const window = windows[index] ?? tenMinutes;
    const chunk = this.#chunk(series);
    const slot = series % chunkSeries;
    const newest = chunk.newest[slot * windows.length + index] ?? 0;
    const current = Math.floor(nowMs / window.bucketMs);
    const sum = { sent: 0, lost: 0, isolated: 0 };
    for (let bucket = Math.max(current - window.buckets + 1, 0); bucket <= newest; bucket++) {
      const at = slot * buckets + window.first + (bucket % window.buckets);
      sum.sent += chunk.sent[at] ?? 0;
      sum.lost += chunk.lost[at] ?? 0;
      if (window === tenMinutes) {
        sum.isolated += chunk.isolated[slot * window.buckets + (bucket % window.buckets)] ?? 0;
      }
    }
    return sum;
  }

  /** Empties the buckets between the newest one and the one to write to. */
  #moveTo(chunk: Chunk, slot: number, index: number, bucket: number): void {
    const window = windows[index] ?? tenMinutes;
    const at = slot * windows.length + index;
    const newest = chunk.newest[at] ?? 0;
    for (let b = Math.max(newest + 1, bucket - window.buckets + 1); b <= bucket; b++) {
      const position = b % window.buckets;
      chunk.sent[slot * buckets + window.first + position] = 0;
      chunk.lost[slot * buckets + window.first + position] = 0;
      if (window === tenMinutes) chunk.isolated[slot * window.buckets + position] = 0;
    }
    chunk.newest[at] = Math.max(newest, bucket);
  }

  #chunk(series: number): Chunk {
    return (this.#chunks[Math.floor(series / chunkSeries)] ??= {
      sent: new Uint16Array(chunkSeries * buckets),
      lost: new Uint16Array(chunkSeries * buckets),
      isolated: new Uint16Array(chunkSeries * tenMinutes.buckets),
      newest: new Uint32Array(chunkSeries * windows.length),
      outageEndMs: new Float64Array(chunkSeries),
    });
  }
}
