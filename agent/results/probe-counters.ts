import { planes, type Plane } from '../model/path.js';
import { protocols, type Protocol, type Sample } from '../model/sample.js';

/** The outcome of a probe, as it is counted. A tainted one counts as nothing else. */
export const countedOutcomes = ['reply', 'failure', 'not_sent', 'tainted'] as const;
export type CountedOutcome = (typeof countedOutcomes)[number];

/** The upper bounds of the RTT histogram in nanoseconds: from 25 us, each twice the one before, to 1.6 s. */
export const rttBucketsNs: readonly number[] = Array.from(
  { length: 17 },
  (_, i) => 25_000 * 2 ** i,
);

/** The RTTs of answers that were not tainted, as a Prometheus histogram. */
export interface RttHistogram {
  /** How many were at most as long as each of `rttBucketsNs`: cumulative. */
  readonly cumulativeCounts: readonly number[];
  /** How many there were in all, including those above the last bound. */
  readonly count: number;
  readonly sumNs: number;
}

/** The probes of one plane and protocol since the agent started. */
export interface ProbeTotals {
  readonly outcomes: Readonly<Record<CountedOutcome, number>>;
  readonly rtt: RttHistogram;
}

/** The probes of each plane and protocol since the agent started. The counts never fall. */
export type ProbeTotalsByPlane = Readonly<Record<Plane, Readonly<Record<Protocol, ProbeTotals>>>>;

interface Counters {
  readonly outcomes: Record<CountedOutcome, number>;
  /** Not cumulative. The last counts what is above the last bound. */
  readonly buckets: Float64Array;
  sumNs: number;
}

/** Counts probes by plane, protocol and outcome, and their RTTs by size. */
export class ProbeCounters {
  readonly #counters: Readonly<Record<Plane, Readonly<Record<Protocol, Counters>>>> = eachSeries(
    () => ({
      outcomes: { reply: 0, failure: 0, not_sent: 0, tainted: 0 },
      buckets: new Float64Array(rttBucketsNs.length + 1),
      sumNs: 0,
    }),
  );

  add(plane: Plane, protocol: Protocol, sample: Sample): void {
    const counters = this.#counters[plane][protocol];
    const outcome = countedOutcome(sample);
    counters.outcomes[outcome]++;
    if (sample.outcome !== 'reply' || outcome !== 'reply') return;
    const bucket = bucketOf(sample.rttNs);
    counters.buckets[bucket] = (counters.buckets[bucket] ?? 0) + 1;
    counters.sumNs += sample.rttNs;
  }

  /** A copy of what was counted so far. */
  totals(): ProbeTotalsByPlane {
    return eachSeries((plane, protocol) => {
      const { outcomes, buckets, sumNs } = this.#counters[plane][protocol];
      let count = 0;
      const cumulativeCounts = rttBucketsNs.map((_, i) => (count += buckets[i] ?? 0));
      count += buckets[rttBucketsNs.length] ?? 0;
      return { outcomes: { ...outcomes }, rtt: { cumulativeCounts, count, sumNs } };
    });
  }
}

function countedOutcome(sample: Sample): CountedOutcome {
  if (sample.outcome === 'not-sent') return 'not_sent';
  return sample.tainted ? 'tainted' : sample.outcome;
}

/** The first bucket whose bound the RTT does not exceed. */
function bucketOf(rttNs: number): number {
  let bucket = 0;
  while (rttNs > (rttBucketsNs[bucket] ?? Infinity)) bucket++;
  return bucket;
}

function eachSeries<T>(
  create: (plane: Plane, protocol: Protocol) => T,
): Record<Plane, Record<Protocol, T>> {
  const ofPlane = (plane: Plane) =>
    Object.fromEntries(protocols.map((protocol) => [protocol, create(plane, protocol)])) as Record<
      Protocol,
      T
    >;
  return Object.fromEntries(planes.map((plane) => [plane, ofPlane(plane)])) as Record<
    Plane,
    Record<Protocol, T>
  >;
}
