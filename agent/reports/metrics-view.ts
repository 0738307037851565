import type { Plane } from '../model/path.js';
import type { HostSign } from '../model/row-host.js';
import type { Protocol } from '../model/sample.js';
import { rttBucketsNs } from '../results/probe-counters.js';
import type { LabelledValue } from './labelled-value.js';
import type { TargetMetrics } from './metrics-targets.js';

/** RTTs of the answered probes of one plane and protocol. */
export interface RttBuckets {
  readonly plane: Plane;
  readonly protocol: Protocol;
  /** How many RTTs are at most as long as each bound; one more than there are bounds, the last is all of them. */
  readonly cumulativeCounts: readonly number[];
  readonly sumSeconds: number;
}

/** What an agent sent to a receiver of notices. */
export interface NoticeCounts {
  readonly receiver: string;
  /** Each try counts. */
  readonly sent: number;
  readonly failed: number;
}

/** The values of one scrape, taken at one moment from the snapshot that all readers share. */
export interface MetricsView {
  readonly nodes: readonly LabelledValue<'phase'>[];
  readonly nodesNotReady: number;
  readonly paths: readonly LabelledValue<'plane' | 'protocol' | 'state'>[];
  readonly probes: readonly LabelledValue<'plane' | 'protocol' | 'outcome'>[];
  readonly rtts: readonly RttBuckets[];
  readonly timeToDetectSeconds: readonly LabelledValue<'protocol'>[];
  readonly unreachablePaths: readonly Readonly<Record<'node' | 'plane' | 'protocol', string>>[];
  readonly unreachablePathsUnnamed: number;
  /** The verdict on the cluster is `unknown`. */
  readonly isVerdictUnknown: boolean;
  readonly findings: readonly LabelledValue<'severity'>[];
  readonly namedFindings: readonly Readonly<
    Record<'kind' | 'severity' | 'subject' | 'known', string>
  >[];
  readonly observers: readonly LabelledValue<'freshness'>[];
  readonly hints: readonly (LabelledValue<'direction'> | LabelledValue<'direction' | 'use'>)[];
  readonly targets: TargetMetrics;
  /** None where nothing is tested by UDP. */
  readonly udpDatagrams: readonly LabelledValue<'plane' | 'fate'>[];
  /** None where nobody is to be told of findings. */
  readonly notices: readonly NoticeCounts[];
  /** Those that this host shows now. */
  readonly hostSigns: readonly HostSign[];
  readonly nodeListAgeSeconds: number;
  readonly eventLoopStallSeconds: number;
  readonly taintedSamples: number;
  readonly isReady: boolean;
}

/** Upper bounds of `meshprobe_rtt_seconds`: from 25 us, doubled up to 1.6 s. */
export const rttBoundsSeconds: readonly number[] = rttBucketsNs.map((ns) => ns / 1e9);

/** The most series that name a peer or a finding, whatever fails. */
export const maxNamedPaths = 32;
export const maxNamedFindings = 16;
