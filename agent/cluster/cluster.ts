import type { Problem } from '../../api/schema/daemon-health.js';
import type { Observers } from '../../api/schema/v1/fields.js';
import type { NotProbed } from '../../api/schema/v1/summary.js';
import { diagnoseSteps } from '../diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../diagnosis/nouns/diagnosis-input.js';
import type { Node } from '../model/node.js';
import type { RowChange } from '../model/row-host.js';
import { runInSlices } from '../platform/time-slices.js';
import { EventLog } from '../reports/event-log.js';
import type { ClusterOverview, ClusterState } from '../reports/v1/cluster-state.js';
import type { ResultStore } from '../results/result-store.js';
import type { TargetTransition } from '../targets/target-results.js';
import { noTargets } from '../targets/views.js';
import { hopsEvent, nodeListEvents, pathEvent, targetEvent } from './change-events.js';
import { inputFrom, type DiagnosisSources } from './diagnosis-sources.js';
import { FindingsRunner } from './findings-runner.js';
import { FindingsTeller, type FindingsListeners } from './findings-teller.js';
import { IndexedNodes } from './indexed-nodes.js';
import { NodeChanges } from './node-changes.js';
import type { ObserverSource } from './observer-source.js';

export interface ClusterOptions extends DiagnosisSources, FindingsListeners {
  readonly clusterName: string;
  /** The labels by which nodes are grouped; left out, those that they have. */
  readonly groupBy?: readonly string[] | undefined;
  readonly store: ResultStore;
  /** A certificate that ends within this time degrades its target; left out, 21 days. */
  readonly certificateWarningMs?: number;
  /** Each listed address is meant to answer other nodes; left out, external ones may be for the outside alone. */
  readonly everyAddressIsMeant?: boolean;
  readonly isSwept: () => boolean;
  /** Whether this process goes on just now after it stood still; left out, it never does. */
  readonly isSettling?: () => boolean;
  /** The protocols that this agent does not probe at all; left out, it probes both. */
  readonly notProbed?: readonly NotProbed[];
  /** What is wrong with this agent itself; left out, nothing. */
  readonly problems?: () => readonly Problem[];
  /** What the node source waits for, and why; undefined while it is well. */
  readonly nodeSourceProblem?: () => string | undefined;
  /** Called once with each change that a host tells. */
  readonly onHostChange?: (node: string, change: string) => void;
}

const dayMs = 86_400_000;

/** The whole cluster: the rows of all observers, the findings, and the events. */
export class Cluster {
  readonly events: EventLog;
  readonly #options: ClusterOptions;
  readonly #runner: FindingsRunner;
  readonly #stopListening: () => void;
  readonly #changes: NodeChanges;
  readonly #list: IndexedNodes;
  readonly #teller: FindingsTeller;
  readonly #startedMs: number;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#startedMs = options.clock.nowMs();
    // Ids begin higher in a later process, so a reader who resumes learns of the gap.
    this.events = new EventLog({ firstId: this.#options.clock.wallMs() * 1000 });
    this.#list = new IndexedNodes(options.clock, options.groupBy);
    this.#teller = new FindingsTeller({ ...options, events: this.events, list: this.#list });
    const stopTransitions = options.store.onTransition((transition) => {
      const event = pathEvent(transition, this.#options.clock.wallMs());
      if (event) this.events.add(event);
      this.#runner.notify();
    });
    const stopHops = options.store.onHops((path, change) => {
      this.events.add(hopsEvent(path, change, this.#options.clock.wallMs()));
    });
    this.#changes = new NodeChanges({
      localName: options.localName,
      startedMs: this.#startedMs,
      clock: options.clock,
      events: this.events,
      onHostChange: options.onHostChange,
    });
    const stopRows = options.observers.onRow((row, bodyAgeMs) => {
      this.#changes.takeRow(row, bodyAgeMs);
      this.#runner.notify();
    });
    this.#runner = new FindingsRunner({
      clock: options.clock,
      ...(options.isSettling && { isSettling: options.isSettling }),
      diagnose: (previous) => this.#diagnose(previous),
      onResult: (result, before) => this.#teller.tell(result, before),
    });
    this.#stopListening = () => {
      stopTransitions();
      stopHops();
      stopRows();
    };
  }

  /** How many findings are open. */
  get openFindings(): number {
    return this.#runner.result?.findings.length ?? 0;
  }

  /** A target changed its state. */
  onTarget(transition: TargetTransition): void {
    const event = targetEvent(transition, this.#options.clock.wallMs());
    if (event) this.events.add(event);
    this.#runner.notify();
  }

  /** A DNS server of a target began to fail or answers again. */
  onTargetServer(): void {
    this.#runner.notify();
  }

  /**
   * What the own row tells of this host has changed.
   * @param changes what changed last on it, the newest first
   */
  onHost(changes: readonly RowChange[]): void {
    this.#changes.tell(this.#options.localName, changes, 0);
    this.#runner.notify();
  }

  /** What the own row tells of large packets has changed. */
  onLargePackets(): void {
    this.#runner.notify();
  }

  /** A whole node list came. It is used at once; resolves when all events of it are told. */
  onNodeList(nodes: readonly Node[]): Promise<void> {
    const before = this.#list.nodes;
    this.#list.take(nodes);
    this.#runner.notify();
    const listed = new Set(nodes.map(({ name }) => name));
    this.#changes.retain((name) => listed.has(name));
    const { clock } = this.#options;
    const [wallMs, foundMs] = [clock.wallMs(), clock.nowMs()];
    return runInSlices(
      nodeListEvents(
        nodes,
        before,
        wallMs,
        (event) => this.events.add(event),
        (node, change) => {
          this.#changes.note(node, { ...change, withinSeconds: 0, foundMs });
          this.#runner.notify();
        },
      ),
    );
  }

  stop(): void {
    this.#stopListening();
    this.#runner.stop();
    this.#changes.stop();
    this.events.end();
  }

  /** Everything that is known of the cluster now. */
  state(): ClusterState {
    const { localName, clusterName, probePort, store, observers, isSwept } = this.#options;
    const { isSettling = () => false } = this.#options;
    const {
      nodeSourceProblem,
      notProbed = [],
      problems,
      targets = noTargets,
      certificateWarningMs = 21 * dayMs,
      everyAddressIsMeant = false,
    } = this.#options;
    const result = this.#runner.result;
    return {
      ...this.overview(),
      groupBy: this.#list.groupBy,
      at: this.#options.clock.wallMs(),
      localName,
      clusterName,
      probePort,
      // Not every body needs the snapshot, and making one may take thousands of views.
      get snapshot() {
        return store.snapshot();
      },
      get targets() {
        return targets.targets();
      },
      certificateWarningMs,
      everyAddressIsMeant,
      get missedObservers() {
        return observers.counts().missed;
      },
      rows: { [Symbol.iterator]: () => allRows(observers) },
      unexplained: result?.unexplained ?? 0,
      unexplainedTargets: result?.unexplainedTargets ?? 0,
      notKnown: result?.notKnown ?? [],
      isSwept: isSwept() && result !== undefined,
      isSettling: isSettling() || this.#runner.isHeld,
      isListed: this.#list.nodes !== undefined,
      notProbed,
      changesOf: (node) => this.#changes.agedOf(node),
      problems: problems?.() ?? [],
      nodeSourceProblem: nodeSourceProblem?.(),
      wholeRow: (...of) => observers.wholeRow(...of),
    };
  }

  /** The part of the state that needs no snapshot of the results. */
  overview(): ClusterOverview {
    const { findings = [], memory } = this.#runner.result ?? {};
    return {
      nodes: this.#list.nodes ?? [],
      observers: this.#observerCounts(),
      findings,
      standsFor: ({ id, count, group }) => {
        if (count === undefined && !group) return [];
        const { causes = [], nodes = [] } = memory?.get(id) ?? {};
        return [...causes, ...nodes.map((name) => ({ type: 'node' as const, names: [name] }))];
      },
    };
  }

  #observerCounts(): Observers {
    const { fresh, stale, silent, oldestMs } = this.#options.observers.counts();
    const oldest = oldestMs === undefined ? {} : { oldestSeconds: Math.round(oldestMs / 100) / 10 };
    return { fresh, stale, silent, ...oldest };
  }

  /** What the next findings would be made from now. The rows are made while they are read. */
  diagnosisInput(): DiagnosisInput {
    return this.#inputOf(this.#runner.result);
  }

  *#diagnose(previous: DiagnosisOutput | undefined): Generator<unknown, DiagnosisOutput> {
    yield* this.#list.prepare();
    const input = this.#inputOf(previous);
    yield;
    yield* this.#options.observers.prepareOwnRow();
    return yield* diagnoseSteps(input);
  }

  #inputOf(previous: DiagnosisOutput | undefined): DiagnosisInput {
    return inputFrom(this.#options, {
      index: this.#list.index(),
      changes: this.#changes,
      startedMs: this.#startedMs,
      previous,
    });
  }
}

function* allRows(observers: ObserverSource): Generator<ObservedRow, void> {
  yield observers.ownRowOf(0);
  yield* observers.rows();
}
