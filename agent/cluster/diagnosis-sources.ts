import type { ClusterIndex } from '../diagnosis/nouns/cluster-index.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../diagnosis/nouns/diagnosis-input.js';
import type { Clock } from '../platform/clock.js';
import type { ResultStore } from '../results/result-store.js';
import { noTargets, type TargetsView } from '../targets/views.js';
import { diagnosisTarget } from './diagnosis-target.js';
import type { NodeChanges } from './node-changes.js';
import type { ObserverSource } from './observer-source.js';

/** Where what the diagnosis reads comes from. */
export interface DiagnosisSources {
  readonly localName: string;
  readonly probePort: number;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly store: Pick<ResultStore, 'paths'>;
  readonly observers: ObserverSource;
  /** The targets as this agent sees them; left out, there are none. */
  readonly targets?: TargetsView;
}

/** What a run of the diagnosis is made from, beside the sources. */
export interface DiagnosisRun {
  readonly index: ClusterIndex;
  readonly changes: Pick<NodeChanges, 'seenOf'>;
  /** When this agent started, in monotonic milliseconds. */
  readonly startedMs: number;
  readonly previous: DiagnosisOutput | undefined;
}

/** What the findings are made from now. The rows are made while they are read. */
export function inputFrom(
  sources: DiagnosisSources,
  { index, changes, startedMs, previous }: DiagnosisRun,
): DiagnosisInput {
  const { localName, probePort, namespace, observers, clock, store } = sources;
  const { targets = noTargets } = sources;
  const now = clock.nowMs();
  return {
    index,
    rows: { [Symbol.iterator]: () => rowsToRead(observers) },
    silentMs: { [Symbol.iterator]: () => silentNodes(observers) },
    localName,
    plainForMs: { get: (name) => observers.plainForMs(name) },
    heardMsAgo: { get: (name) => observers.heardMsAgo(name) },
    changesOf: (node) => changes.seenOf(node),
    answersAt: (...of) => store.paths.furtherAnsweringOf(...of),
    probePort,
    namespace,
    targets: targets.targets().map(diagnosisTarget),
    now,
    wallOffsetMs: clock.wallMs() - now,
    uptimeMs: now - startedMs,
    previous,
  };
}

/** This agent's own row, then the rows of the others. */
function* rowsToRead(observers: ObserverSource): Generator<ObservedRow, void> {
  yield observers.ownRowOf(Infinity);
  yield* observers.rows();
}

function* silentNodes(observers: ObserverSource): Generator<[name: string, ms: number]> {
  for (const { name, listedForMs } of observers.silent()) yield [name, listedForMs];
}
