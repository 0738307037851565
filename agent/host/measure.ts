import type { HostSign } from '../model/row-host.js';

/** What is about one thing of a host, such as an interface; empty where there is only one. */
interface About {
  readonly sign: HostSign;
  readonly about: string;
}

/** A counter that only grows, until the host or its driver starts again. */
export interface CountMeasure extends About {
  readonly count: number;
  /** A second counter, of which the first is a part. */
  readonly of?: number;
  /** Of which counters it is the sum, or of which card it is, where that may change from reading to reading. */
  readonly parts?: string;
}

/** How much of something there is, and how much there may be. */
export interface LevelMeasure extends About {
  readonly value: number;
  readonly limit: number;
}

/** How high something is, and how high it was at most since the agent started. */
export interface HighestMeasure extends About {
  readonly value: number;
  readonly highest: number;
}

/** How high something is. */
export interface ThresholdMeasure extends About {
  readonly value: number;
  /** Of how many it is; left out where it is of nothing. */
  readonly outOf?: number;
}

/** One figure that a kernel showed, and the sign that it may be. */
export type Measure = CountMeasure | LevelMeasure | HighestMeasure | ThresholdMeasure;

/** What reads figures of a host. */
export interface HostSource {
  /** The signs that it may tell of. */
  readonly signs: readonly HostSign[];
  /** The files that it reads, as an operator would look for them. */
  readonly files: string;
  /** Reads them. What the kernel does not show is left out. It never rejects. */
  readonly read: () => Promise<readonly Measure[]>;
  /** Why the last reading showed nothing, in words; left out, they were not found in those files. */
  readonly because?: () => string | undefined;
}
