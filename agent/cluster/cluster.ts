import type { V1Source } from '../../api/routes/v1/source.js';
import type { Observers } from '../../api/schema/v1/fields.js';
import type { DiagnosisNode, DiagnosisOutput, ObservedRow } from '../diagnosis/diagnosis-input.js';
import { diagnoseSteps } from '../diagnosis/diagnose.js';
import { isRowRead } from '../diagnosis/observations.js';
import type { Node } from '../model/node.js';
import type { Clock } from '../platform/clock.js';
import { EventLog } from '../reports/event-log.js';
import type { ClusterOverview, ClusterState, ObserverRow } from '../reports/v1/cluster-state.js';
import { findingsBody } from '../reports/v1/findings-body.js';
import { nodeEntries, nodeEntry } from '../reports/v1/node-entries.js';
import { nodeMatrixBody } from '../reports/v1/node-matrix-body.js';
import { summaryBody } from '../reports/v1/summary-body.js';
import { zoneMatrixBody } from '../reports/v1/zone-matrix-body.js';
import type { ResultStore } from '../results/result-store.js';
import { findingEvents, nodeListEvents, pathEvent } from './change-events.js';
import { FindingsRunner } from './findings-runner.js';
import type { ObserverSource } from './observer-source.js';

export interface ClusterOptions {
  readonly localName: string;
  readonly clusterName: string;
  readonly probePort: number;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly store: ResultStore;
  readonly observers: ObserverSource;
  readonly isSwept: () => boolean;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** The cluster as a whole: the rows of all observers, the findings from them, and the changes. */
export class Cluster implements V1Source {
  readonly events: EventLog;
  readonly #options: ClusterOptions;
  readonly #now: () => number;
  readonly #runner: FindingsRunner;
  readonly #stopListening: () => void;
  #nodes: readonly Node[] | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    // Ids of a later process are higher, so that a reader who resumes is told of the gap.
    this.events = new EventLog({ firstId: this.#now() * 1000 });
    this.#stopListening = options.store.onTransition((transition) => {
      const event = pathEvent(transition, this.#now());
      if (event) this.events.add(event);
      this.#runner.notify();
    });
    this.#runner = new FindingsRunner({
      clock: options.clock,
      diagnose: (previous) => this.#diagnose(previous),
      onResult: (result, before) => {
        for (const event of findingEvents(result, before, this.#now())) this.events.add(event);
      },
    });
  }

  /** How many findings are open. */
  get openFindings(): number {
    return this.#runner.result?.findings.length ?? 0;
  }

  /** A whole node list came. */
  onNodeList(nodes: readonly Node[]): void {
    for (const event of nodeListEvents(nodes, this.#nodes, this.#now())) this.events.add(event);
    this.#nodes = nodes;
    this.#runner.notify();
  }

  /** A row of an observer changed. */
  onRow(): void {
    this.#runner.notify();
  }

  summary(): ReturnType<V1Source['summary']> {
    return summaryBody(this.state());
  }

  findings(): ReturnType<V1Source['findings']> {
    return findingsBody(this.state());
  }

  matrix(query: Parameters<V1Source['matrix']>[0]): ReturnType<V1Source['matrix']> {
    const state = this.state();
    return query.by === 'zone' ? zoneMatrixBody(state, query) : nodeMatrixBody(state, query);
  }

  nodes(filter: Parameters<V1Source['nodes']>[0]): ReturnType<V1Source['nodes']> {
    return nodeEntries(this.state(), filter);
  }

  node(name: string): ReturnType<V1Source['node']> {
    return nodeEntry(this.state(), name);
  }

  stop(): void {
    this.#stopListening();
    this.#runner.stop();
    this.events.end();
  }

  /** All that is known of the cluster now. */
  state(): ClusterState {
    const { localName, clusterName, store, observers, isSwept } = this.#options;
    const result = this.#runner.result;
    return {
      ...this.overview(),
      at: this.#now(),
      localName,
      clusterName,
      snapshot: store.snapshot(),
      rows: { [Symbol.iterator]: () => allRows(observers) },
      unexplained: result?.unexplained ?? 0,
      isSwept: isSwept() && result !== undefined,
      wholeRow: (...of) => observers.wholeRow(...of),
    };
  }

  /** The part of the state that needs no snapshot of the results. */
  overview(): ClusterOverview {
    return {
      nodes: this.#nodes ?? [],
      observers: this.#observerCounts(),
      findings: this.#runner.result?.findings ?? [],
    };
  }

  #observerCounts(): Observers {
    const { fresh, stale, silent, oldestMs } = this.#options.observers.counts();
    const oldest = oldestMs === undefined ? {} : { oldestSeconds: Math.round(oldestMs / 100) / 10 };
    return { fresh, stale, silent, ...oldest };
  }

  *#diagnose(previous: DiagnosisOutput | undefined): Generator<unknown, DiagnosisOutput> {
    const { localName, probePort, namespace, observers } = this.#options;
    const nodes = (this.#nodes ?? []).map(toDiagnosisNode);
    yield;
    const heardMsAgo = new Map<string, number>();
    for (const { name } of nodes) {
      const agoMs = observers.heardMsAgo(name);
      if (agoMs !== undefined) heardMsAgo.set(name, agoMs);
    }
    yield;
    const silentMs = new Map<string, number>();
    for (const { name, listedForMs } of observers.silent()) silentMs.set(name, listedForMs);
    yield;
    return yield* diagnoseSteps({
      nodes,
      rows: { [Symbol.iterator]: () => rowsToRead(observers, nodes) },
      silentMs,
      localName,
      heardMsAgo,
      probePort,
      namespace,
      now: this.#now(),
      previous,
    });
  }
}

/** This agent's own row, then those of the others that the diagnosis reads. */
function* rowsToRead(
  observers: ObserverSource,
  nodes: readonly DiagnosisNode[],
): Generator<ObservedRow, void> {
  yield { row: observers.ownRow(), ageMs: 0, bodyAgeMs: 0, freshness: 'fresh' };
  const active = nodes.filter(({ phase }) => phase === 'active').length;
  yield* observers.rows((head) => isRowRead(head, active));
}

function* allRows(observers: ObserverSource): Generator<ObserverRow, void> {
  yield { row: observers.ownRow(), ageMs: 0, freshness: 'fresh' };
  yield* observers.rows();
}

function toDiagnosisNode({ name, zone, lifecycle, host, endpoint }: Node): DiagnosisNode {
  return { name, zone, phase: lifecycle?.phase ?? 'active', host, endpoint };
}
