import type { ExchangeTimes, PeerStamps } from '../../model/clock-stamps.js';
import type { Clock } from '../../platform/clock.js';
import type { HostSource } from '../measure.js';
import { clockOffsetLimitMs } from '../rules.js';

/** The peers that answered last: more do not make the median better. */
const mostPeers = 64;
/** With one peer nobody can say whose clock is off. */
const leastPeers = 2;
/** An answer says where the clock of its peer was at some time between question and answer: within 200 ms. */
const longestRttMs = 400;
/** The sample of the least RTT is kept for so long, then the next one is taken. */
const bestForMs = 60_000;
const keptForMs = 600_000;
/** Somebody set the own clock, or the host was suspended: older samples say nothing of the clock as it is now. */
const stepMs = 100;

interface ClockSample {
  /** How far the clock of the peer is ahead of the own one. */
  readonly offsetMs: number;
  readonly rttMs: number;
  readonly atMs: number;
  /** How far the own clock was ahead of the monotonic one. */
  readonly setMs: number;
}

/**
 * The clock of this host against those of its peers, by the four stamps of exchanges that happen anyway (RFC 5905, section 8):
 *
 * offset = ((received by the peer - sent) + (sent by the peer - received)) / 2, and it is wrong by half of the RTT at most.
 *
 * Of each peer the sample of the least RTT counts, and of all the median, with the own clock among them: fewer than half that lie, or
 * whose clocks are off, do not move it. Where one half says something else than the other, nobody can say which one is right.
 */
export class PeerClocks implements HostSource {
  readonly signs = ['clock-offset'] as const;
  readonly files = 'answers of other agents';
  readonly #clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  readonly #isListed: (peer: string) => boolean;
  /** The one that answered longest ago first. */
  readonly #samples = new Map<string, ClockSample>();
  #because: string | undefined;

  /** @param isListed whether a peer is in the node list now: the others are forgotten */
  constructor(clock: Pick<Clock, 'nowMs' | 'wallMs'>, isListed: (peer: string) => boolean) {
    this.#clock = clock;
    this.#isListed = isListed;
  }

  /** Takes the stamps of one exchange. Those that cannot be are left out. */
  note(peer: string, { sentMs, receivedMs }: ExchangeTimes, stamps: PeerStamps): void {
    const rttMs = receivedMs - sentMs - stamps.heldMs;
    if (!(rttMs >= -1 && rttMs <= longestRttMs) || !Number.isFinite(stamps.receivedMs)) return;
    const nowMs = this.#clock.nowMs();
    const setMs = this.#setMs();
    const known = this.#samples.get(peer);
    if (known && rttMs > known.rttMs && nowMs - known.atMs < bestForMs && isOf(known, setMs))
      return;
    const [sentAtMs, receivedAtMs] = [sentMs + setMs, receivedMs + setMs];
    const offsetMs =
      (stamps.receivedMs - sentAtMs + (stamps.receivedMs + stamps.heldMs - receivedAtMs)) / 2;
    this.#samples.delete(peer);
    this.#samples.set(peer, { offsetMs, rttMs, atMs: nowMs, setMs });
    const [oldest] = this.#samples.keys();
    if (oldest !== undefined && this.#samples.size > mostPeers) this.#samples.delete(oldest);
  }

  read(): ReturnType<HostSource['read']> {
    const offsets = this.#offsetsMs();
    const offsetMs = offsets.length < leastPeers ? 'unknown' : majorityOffsetMs(offsets);
    this.#because = undefined;
    if (typeof offsetMs === 'number') {
      const measure = (about: string, ms: number) =>
        ({ sign: 'clock-offset', about, value: Math.max(Math.round(ms), 0) }) as const;
      return Promise.resolve([measure('behind', offsetMs), measure('ahead', -offsetMs)]);
    }
    this.#because =
      offsetMs === 'unknown'
        ? `this needs the clocks of ${leastPeers} other agents, and those of ${offsets.length} are known`
        : `the clocks of ${offsets.length} other agents and this one differ, and no majority says which are right`;
    return Promise.resolve([]);
  }

  /** Why nothing is known. */
  because(): string | undefined {
    return this.#because;
  }

  #offsetsMs(): number[] {
    const nowMs = this.#clock.nowMs();
    const setMs = this.#setMs();
    for (const [peer, sample] of this.#samples)
      if (nowMs - sample.atMs > keptForMs || !isOf(sample, setMs) || !this.#isListed(peer))
        this.#samples.delete(peer);
    return Array.from(this.#samples.values(), ({ offsetMs }) => offsetMs);
  }

  #setMs(): number {
    return this.#clock.wallMs() - this.#clock.nowMs();
  }
}

/** Whether the own clock is still as it was at that sample. */
function isOf(sample: ClockSample, setMs: number): boolean {
  return Math.abs(sample.setMs - setMs) < stepMs;
}

/**
 * The median of the offsets and 0, which is the own clock. Of two in the middle it is the one nearer to 0.
 * @returns `split` where those two are a sign and none, or two different ones
 */
export function majorityOffsetMs(offsetsMs: readonly number[]): number | 'split' {
  const sorted = [0, ...offsetsMs].sort((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (high - low >= clockOffsetLimitMs) return 'split';
  return Math.abs(low) < Math.abs(high) ? low : high;
}
